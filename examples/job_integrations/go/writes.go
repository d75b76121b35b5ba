package main

import (
	"context"
	"slices"
	"strconv"

	core "k8s.io/api/core/v1"
	failures "k8s.io/apimachinery/pkg/api/errors"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// create makes the Workload of a Training.
func (r *Reconciler) create(ctx context.Context, job *Training) error {
	if err := r.requireCurrent(ctx, job); err != nil {
		return err
	}
	spec, err := r.specOf(ctx, job)
	if err != nil {
		return err
	}
	workload, err := newWorkload(job, spec)
	if err != nil {
		return err
	}
	if err = r.Create(ctx, workload); err != nil {
		return err
	}
	r.tell(job, "CreatedWorkload", "Created Workload "+workload.GetName())
	return nil
}

// specOf returns what the Workload of a Training asks for.
func (r *Reconciler) specOf(ctx context.Context, job *Training) (WorkloadSpec, error) {
	spec, err := r.priorityOf(ctx, job)
	spec.QueueName, spec.PodSets = job.Labels[queueLabel], job.PodSets()
	if seconds, failure := strconv.ParseInt(job.Labels[timeLabel], 10, 32); failure == nil {
		limit := int32(seconds)
		spec.TimeLimit = &limit
	}
	return spec, err
}

// priorityOf returns the priority that a Training asks for: by a WorkloadPriorityClass, else by the PriorityClass of its pods.
func (r *Reconciler) priorityOf(ctx context.Context, job *Training) (WorkloadSpec, error) {
	class, reference := object("WorkloadPriorityClass"), PriorityClassRef{Group: kueue, Kind: "WorkloadPriorityClass"}
	reference.Name = job.Labels[classLabel]
	for _, podSet := range job.PodSets() {
		if name := podSet.Template.Spec.PriorityClassName; reference.Name == "" && name != "" {
			reference = PriorityClassRef{Group: "scheduling.k8s.io", Kind: "PriorityClass", Name: name}
			class.SetAPIVersion("scheduling.k8s.io/v1")
			class.SetKind(reference.Kind)
		}
	}
	if reference.Name == "" {
		return WorkloadSpec{}, nil
	}
	// One that does not exist is waited for: without it the Workload would be admitted in another order.
	if err := r.Get(ctx, types.NamespacedName{Name: reference.Name}, class); err != nil {
		return WorkloadSpec{}, err
	}
	value, _, err := unstructured.NestedInt64(class.Object, "value")
	return WorkloadSpec{PriorityClassRef: &reference, Priority: int32(value)}, err
}

// additions returns what the flavors of a pod set add to its pods, then what each check adds.
func (r *Reconciler) additions(ctx context.Context, workload *Workload, podSet string) ([]PodSetUpdate, error) {
	var additions []PodSetUpdate
	var names []string
	for _, name := range workload.Assignment(podSet).Flavors {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		flavor := object("ResourceFlavor")
		// One that does not exist is waited for.
		if err := r.Get(ctx, types.NamespacedName{Name: name}, flavor); err != nil {
			return nil, err
		}
		var read struct {
			Spec struct {
				NodeLabels  map[string]string `json:"nodeLabels"`
				Tolerations []core.Toleration `json:"tolerations"`
			} `json:"spec"`
		}
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(flavor.Object, &read); err != nil {
			return nil, err
		}
		additions = append(additions, PodSetUpdate{NodeSelector: read.Spec.NodeLabels, Tolerations: read.Spec.Tolerations})
	}
	for _, check := range workload.Status.AdmissionChecks {
		for _, update := range check.PodSetUpdates {
			if update.Name == podSet {
				additions = append(additions, update)
			}
		}
	}
	return additions, nil
}

// describe gives a Workload the pod sets of its Training.
func (r *Reconciler) describe(ctx context.Context, job *Training, workload *Workload) error {
	written, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&WorkloadSpec{PodSets: job.PodSets()})
	if err != nil {
		return err
	}
	return r.change(ctx, job, workload, "pod sets", func(spec map[string]any) { spec["podSets"] = written["podSets"] })
}

// change writes fields of the spec of a Workload.
func (r *Reconciler) change(ctx context.Context, job *Training, workload *Workload, what string, set func(spec map[string]any)) error {
	changed := workload.DeepCopy()
	set(changed.Object["spec"].(map[string]any))
	if err := r.Update(ctx, changed); err != nil {
		return err
	}
	r.tell(job, "UpdatedWorkload", "Updated the "+what+" of Workload "+workload.GetName())
	return nil
}

// finish declares a Workload Finished.
func (r *Reconciler) finish(ctx context.Context, job *Training, workload *Workload, reason, message string) error {
	finished := workload.with(meta.Condition{Type: "Finished", Status: meta.ConditionTrue, Reason: reason, Message: message})
	if err := r.Status().Update(ctx, finished); err != nil {
		return err
	}
	r.tell(job, "FinishedWorkload", "Workload "+workload.GetName()+" is Finished: "+message)
	return nil
}

// adopt makes a Training the controller of the Workload that it names. Until then the Training waits.
func (r *Reconciler) adopt(ctx context.Context, job *Training, name string) error {
	workload := object("Workload")
	err := r.Get(ctx, types.NamespacedName{Namespace: job.Namespace, Name: name}, workload)
	if client.IgnoreNotFound(err) != nil {
		return err
	}
	if err != nil || meta.GetControllerOf(workload) != nil || workload.GetDeletionTimestamp() != nil {
		return nil
	}
	adopted := workload.DeepCopy()
	claim(adopted, job)
	return r.Update(ctx, adopted)
}

// letGo takes the finalizer off Workloads that hold nothing any more.
func (r *Reconciler) letGo(ctx context.Context, workloads []*Workload) error {
	for _, workload := range workloads {
		others := slices.DeleteFunc(slices.Clone(workload.GetFinalizers()), func(name string) bool { return name == finalizer })
		if len(others) == len(workload.GetFinalizers()) {
			continue
		}
		free := workload.DeepCopy()
		free.SetFinalizers(others)
		if err := r.Update(ctx, free); err != nil {
			return err
		}
	}
	return nil
}

// remove deletes a Workload by which its Training must not run.
func (r *Reconciler) remove(ctx context.Context, job *Training, workload *Workload) error {
	if slices.Contains(workload.GetFinalizers(), finalizer) {
		return r.letGo(ctx, []*Workload{workload})
	}
	if workload.GetDeletionTimestamp() != nil {
		return nil
	}
	uid := workload.GetUID()
	if err := r.Delete(ctx, workload.Unstructured, client.Preconditions{UID: &uid}); failures.IsNotFound(err) {
		return nil
	} else if err != nil {
		return err
	}
	r.tell(job, "DeletedWorkload", "Deleted Workload "+workload.GetName())
	return nil
}
