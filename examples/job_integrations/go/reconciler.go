package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	core "k8s.io/api/core/v1"
	failures "k8s.io/apimachinery/pkg/api/errors"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// ownerIndex finds the Workloads of a Training by its name; those of an earlier Training of this name are among them.
const ownerIndex = "training"

// The default limits double up to 17 minutes: a job would wait so long for an API server that was away.
const firstPause, longestPause = 50 * time.Millisecond, 2 * time.Second

// Reconciler brings Trainings and their Workloads in step: each call looks at the present state and makes at most one write, with
// the resourceVersion that it has seen. What it wrote comes back by a watch.
type Reconciler struct {
	client.Client
	// Live reads from the API server; the client reads from a cache, which may be behind.
	Live   client.Reader
	Events events.EventRecorder
}

// SetUp registers the controller: it looks at a Training when that, its Workload or the Workload that it names changes.
func (r *Reconciler) SetUp(ctx context.Context, manager ctrl.Manager) error {
	err := manager.GetFieldIndexer().IndexField(ctx, object("Workload"), ownerIndex, func(workload client.Object) []string {
		if owner := ownerOf(workload.(*unstructured.Unstructured)); owner != nil {
			return []string{owner.Name}
		}
		return nil
	})
	if err != nil {
		return err
	}
	pauses := workqueue.NewTypedItemExponentialFailureRateLimiter[reconcile.Request](firstPause, longestPause)
	return ctrl.NewControllerManagedBy(manager).Named("trainings").For(&Training{}).
		Watches(object("Workload"), handler.EnqueueRequestsFromMapFunc(r.trainingsOf)).
		WithOptions(controller.Options{RateLimiter: pauses}).Complete(r)
}

// trainingsOf returns requests for the Training that controls a Workload, and for those that name it as prebuilt.
func (r *Reconciler) trainingsOf(ctx context.Context, workload client.Object) []reconcile.Request {
	var requests []reconcile.Request
	if owner := ownerOf(workload.(*unstructured.Unstructured)); owner != nil {
		requests = append(requests, reconcile.Request{NamespacedName: *owner})
	}
	var naming TrainingList
	where := client.InNamespace(workload.GetNamespace())
	if err := r.List(ctx, &naming, where, client.MatchingLabels{prebuiltLabel: workload.GetName()}); err != nil {
		return requests
	}
	for i := range naming.Items {
		requests = append(requests, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&naming.Items[i])})
	}
	return requests
}

// Reconcile does what is next for one Training. An error is tried again, later and later, and holds up no other Training.
func (r *Reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	owned, err := r.workloads(ctx, request.NamespacedName)
	if err != nil {
		return ctrl.Result{}, err
	}
	job := &Training{}
	if err = r.Get(ctx, request.NamespacedName, job); client.IgnoreNotFound(err) != nil {
		return ctrl.Result{}, err
	}
	if err != nil || job.DeletionTimestamp != nil {
		return ctrl.Result{}, r.letGo(ctx, owned)
	}
	if job.Labels[queueLabel] == "" {
		return ctrl.Result{}, nil
	}
	workload, err := r.workloadFor(ctx, job, owned)
	if err != nil {
		return ctrl.Result{}, err
	}
	if workload == nil {
		return ctrl.Result{}, r.withoutWorkload(ctx, job)
	}
	return ctrl.Result{}, r.withWorkload(ctx, job, workload)
}

// workloads returns the Workloads that a Training of this name controls or has controlled.
func (r *Reconciler) workloads(ctx context.Context, job types.NamespacedName) ([]*Workload, error) {
	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(object("WorkloadList").GroupVersionKind())
	err := r.List(ctx, list, client.InNamespace(job.Namespace), client.MatchingFields{ownerIndex: job.Name})
	if err != nil {
		return nil, err
	}
	workloads := make([]*Workload, len(list.Items))
	for i := range list.Items {
		if workloads[i], err = workloadOf(&list.Items[i]); err != nil {
			return nil, err
		}
	}
	return workloads, nil
}

// workloadFor returns the Workload by which a Training runs, nil where there is none, and deletes the others.
func (r *Reconciler) workloadFor(ctx context.Context, job *Training, owned []*Workload) (*Workload, error) {
	prebuilt := job.Labels[prebuiltLabel]
	var chosen *Workload
	for _, workload := range owned {
		if chosen == nil && meta.IsControlledBy(workload, job) && (prebuilt == "" || workload.GetName() == prebuilt) {
			chosen = workload
		} else if err := r.remove(ctx, job, workload); err != nil {
			return nil, err
		}
	}
	if chosen == nil && prebuilt != "" {
		return nil, r.adopt(ctx, job, prebuilt)
	}
	return chosen, nil
}

// withoutWorkload holds a Training back, and makes its Workload when no pod is left: their quota would be counted twice.
func (r *Reconciler) withoutWorkload(ctx context.Context, job *Training) error {
	switch {
	case job.IsOver():
		return nil
	case !job.Spec.Suspend:
		// Without a Workload it is not known what an earlier admission has added to the pods.
		return r.suspend(ctx, job, job.PodSets(), "It has no Workload")
	case job.IsActive() || job.Labels[prebuiltLabel] != "":
		return nil
	}
	return r.create(ctx, job)
}

// withWorkload brings a Training and its Workload in step. The order of the cases is that of Kueue's own integrations.
func (r *Reconciler) withWorkload(ctx context.Context, job *Training, workload *Workload) error {
	suspended := job.Spec.Suspend
	switch {
	case workload.Is("Finished"):
		if !suspended && !job.IsOver() {
			return r.stop(ctx, job, workload, "Its Workload is Finished")
		}
		return r.letGo(ctx, []*Workload{workload})
	case job.IsOver():
		return r.finish(ctx, job, workload, job.Status.Phase, "The Training has "+job.Status.Phase)
	case workload.GetDeletionTimestamp() != nil:
		if !suspended {
			return r.stop(ctx, job, workload, "Its Workload is deleted")
		}
		return r.letGo(ctx, []*Workload{workload})
	case !workload.Describes(job):
		return r.followPods(ctx, job, workload)
	}
	priority, err := r.priorityOf(ctx, job)
	if err != nil {
		return err
	}
	// Kueue refuses a class for a Workload that holds quota and has none.
	takesClass := workload.Spec.PriorityClassRef != nil || !workload.Is("QuotaReserved")
	if takesClass && priority.PriorityClassRef != nil && !workload.hasPriority(priority) {
		return r.change(ctx, job, workload, "priority", priority.setPriority)
	}
	if status := workload.withProgress(job); status != nil {
		return r.Status().Update(ctx, status)
	}
	admitted := workload.Is("Admitted")
	switch {
	case workload.Is("Evicted"):
		return r.obeyEviction(ctx, job, workload)
	case suspended && admitted:
		return r.start(ctx, job, workload)
	case !suspended && !admitted:
		return r.stop(ctx, job, workload, "Its Workload is not Admitted")
	case suspended && workload.Spec.QueueName != job.Labels[queueLabel]:
		return r.change(ctx, job, workload, "queue", func(spec map[string]any) { spec["queueName"] = job.Labels[queueLabel] })
	}
	return nil
}

// obeyEviction stops a Training, and gives its quota back when no pod is left.
func (r *Reconciler) obeyEviction(ctx context.Context, job *Training, workload *Workload) error {
	if !job.Spec.Suspend || workload.HasAdditions(job) {
		return r.stop(ctx, job, workload, workload.Condition("Evicted").Message)
	}
	if job.IsActive() || !workload.Is("QuotaReserved") {
		return nil
	}
	if err := r.requireCurrent(ctx, job); err != nil {
		return err
	}
	return r.Status().Update(ctx, workload.released())
}

// followPods changes a Workload that waits, and ends one that holds quota for something else.
func (r *Reconciler) followPods(ctx context.Context, job *Training, workload *Workload) error {
	switch {
	case job.Labels[prebuiltLabel] != "":
		return r.finish(ctx, job, workload, "OutOfSync", "The prebuilt Workload does not describe the Training")
	case !job.Spec.Suspend:
		return r.stop(ctx, job, workload, "Its Workload does not describe it")
	case !workload.Is("QuotaReserved"):
		return r.describe(ctx, job, workload)
	case job.IsActive():
		return nil
	}
	return r.remove(ctx, job, workload)
}

// start lets a Training run with exactly what flavors and checks add to its pods.
func (r *Reconciler) start(ctx context.Context, job *Training, workload *Workload) error {
	podSets := workload.Restored(job)
	for i := range podSets {
		podSet := &podSets[i]
		podSet.Count = workload.AdmittedCount(podSet)
		additions, err := r.additions(ctx, workload, podSet.Name)
		if err != nil {
			return err
		}
		for _, addition := range additions {
			var contradiction *Contradiction
			if err = addition.Apply(&podSet.Template); errors.As(err, &contradiction) {
				return r.finish(ctx, job, workload, "FailedToStart", err.Error())
			}
		}
	}
	if err := r.Update(ctx, job.With(podSets, false)); err != nil {
		return err
	}
	r.tell(job, "Started", fmt.Sprintf("Admitted by ClusterQueue %s", workload.Status.Admission.ClusterQueue))
	return nil
}

// stop suspends a Training, and gives it the pods back that its user wrote.
func (r *Reconciler) stop(ctx context.Context, job *Training, workload *Workload, reason string) error {
	return r.suspend(ctx, job, workload.Restored(job), reason)
}

func (r *Reconciler) suspend(ctx context.Context, job *Training, podSets []PodSet, reason string) error {
	if err := r.Update(ctx, job.With(podSets, true)); err != nil {
		return err
	}
	r.tell(job, "Stopped", reason)
	return nil
}

// requireCurrent reports a conflict where the Training has changed since it was read: Trainings and Workloads come by two watches,
// and others use the quota as soon as a Workload gives it back.
func (r *Reconciler) requireCurrent(ctx context.Context, job *Training) error {
	current := &Training{}
	if err := r.Live.Get(ctx, client.ObjectKeyFromObject(job), current); err != nil {
		return err
	}
	if current.ResourceVersion != job.ResourceVersion {
		resource := trainings.WithResource("trainings").GroupResource()
		return failures.NewConflict(resource, job.Name, errors.New("it has changed since it was read"))
	}
	return nil
}

func (r *Reconciler) tell(job *Training, reason, note string) {
	r.Events.Eventf(job, nil, core.EventTypeNormal, reason, reason, "%s", note)
}
