package main

import (
	"context"
	"maps"
	"reflect"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// Workloads answers our checks of Workloads that have quota.
type Workloads struct {
	client.Client
	Checks   *Checks
	Endpoint *Endpoint
	Poll     time.Duration
}

// Without a limit of our own, who was away for a minute would be asked again a minute later.
const soonest, latest = 50 * time.Millisecond, 2 * time.Second

// SetUp registers the controller; a check that changes makes it look at every Workload.
func (w *Workloads) SetUp(manager ctrl.Manager) error {
	pauses := workqueue.NewTypedItemExponentialFailureRateLimiter[reconcile.Request](soonest, latest)
	return ctrl.NewControllerManagedBy(manager).Named("workloads").For(object("Workload")).
		Watches(object("AdmissionCheck"), handler.EnqueueRequestsFromMapFunc(w.all)).
		WithOptions(controller.Options{RateLimiter: pauses}).Complete(w)
}

// Reconcile asks for a verdict on each of our open entries and writes what changed.
func (w *Workloads) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	workload := object("Workload")
	if err := w.Get(ctx, request.NamespacedName, workload); err != nil || !mayAct(workload) {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	entries, changed, open, err := w.judged(ctx, workload)
	if err == nil && changed {
		err = applyStatus(ctx, w.Client, w.Checks.Name, workload, map[string]any{"admissionChecks": entries})
	}
	if err != nil || !open {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{RequeueAfter: w.Poll}, nil
}

// judged returns our entries of a Workload with fresh verdicts, whether any of them changed, and whether any may still change.
func (w *Workloads) judged(ctx context.Context, workload *unstructured.Unstructured) (ours []any, changed, open bool, err error) {
	listed, _, _ := unstructured.NestedSlice(workload.Object, "status", "admissionChecks")
	for _, one := range listed {
		old := one.(map[string]any)
		name, _ := old["name"].(string)
		owned, err := w.Checks.Owns(ctx, name)
		if err != nil {
			return nil, false, false, err
		}
		if !owned {
			continue
		}
		entry := part(old)
		// Retry and Rejected are Kueue's to move on.
		if old["state"] != retry && old["state"] != rejected {
			verdict, err := w.Endpoint.Ask(ctx, workload, name)
			if err != nil {
				return nil, false, false, err
			}
			if entry, err = told(workload, entry, verdict); err != nil {
				return nil, false, false, err
			}
			open = true
		}
		changed = changed || !reflect.DeepEqual(entry, part(old))
		ours = append(ours, entry)
	}
	return ours, changed, open, nil
}

// all returns a request for every Workload.
func (w *Workloads) all(ctx context.Context, _ client.Object) []reconcile.Request {
	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(object("WorkloadList").GroupVersionKind())
	if err := w.List(ctx, list); err != nil {
		return nil
	}
	requests := make([]reconcile.Request, len(list.Items))
	for i := range list.Items {
		requests[i].NamespacedName = client.ObjectKeyFromObject(&list.Items[i])
	}
	return requests
}

// mayAct tells whether a Workload may be judged now: it has quota, is active, and is neither on its way out nor at its end.
func mayAct(workload *unstructured.Unstructured) bool {
	if active, said, _ := unstructured.NestedBool(workload.Object, "spec", "active"); said && !active {
		return false
	}
	return isTrue(workload, "QuotaReserved") && !isTrue(workload, "Evicted") && !isTrue(workload, "Finished") &&
		workload.GetDeletionTimestamp() == nil
}

// part returns the part of an entry that a check controller writes; retryCount is Kueue's.
func part(entry map[string]any) map[string]any {
	own := maps.Clone(entry)
	delete(own, "retryCount")
	return own
}
