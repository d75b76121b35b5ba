package main

import (
	conditions "k8s.io/apimachinery/pkg/api/meta"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

const (
	waitForStart    = "WaitForStart"
	waitForRecovery = "WaitForRecovery"
	recovered       = "Recovered"
)

// with returns a Workload with further conditions; the time of each moves with its status alone.
func (w *Workload) with(news ...meta.Condition) *unstructured.Unstructured {
	all := append([]meta.Condition{}, w.Status.Conditions...)
	for _, condition := range news {
		condition.ObservedGeneration = w.GetGeneration()
		conditions.SetStatusCondition(&all, condition)
	}
	written := make([]any, len(all))
	for i := range all {
		// A condition is a plain value: it cannot fail.
		written[i], _ = runtime.DefaultUnstructuredConverter.ToUnstructured(&all[i])
	}
	changed := w.DeepCopy()
	status, is := changed.Object["status"].(map[string]any)
	if !is {
		status = map[string]any{}
		changed.Object["status"] = status
	}
	status["conditions"] = written
	return changed
}

// released returns an evicted Workload without its reservation. After a preemption or a failed node Kueue requeues it at once.
func (w *Workload) released() *unstructured.Unstructured {
	evicted := w.Condition("Evicted")
	requeued := meta.ConditionFalse
	if evicted.Reason == "Preempted" || evicted.Reason == "NodeFailures" {
		requeued = meta.ConditionTrue
	}
	news := []meta.Condition{
		{Type: "QuotaReserved", Status: meta.ConditionFalse, Reason: "Pending", Message: evicted.Message},
		{Type: "Requeued", Status: requeued, Reason: evicted.Reason, Message: evicted.Message},
	}
	if w.Is("Admitted") {
		message := "The workload has no reservation"
		news = append(news, meta.Condition{Type: "Admitted", Status: meta.ConditionFalse, Reason: "NoReservation", Message: message})
	}
	changed := w.with(news...)
	unstructured.RemoveNestedField(changed.Object, "status", "admission")
	return changed
}

// withProgress returns a Workload that says what its pods do: whether they are ready, and how many will not run again. It is nil
// where nothing is new.
func (w *Workload) withProgress(job *Training) *unstructured.Unstructured {
	ready, old := w.podsReady(job), w.Condition("PodsReady")
	reclaimable := w.reclaimable(job)
	if old.Status == ready.Status && old.Reason == ready.Reason && reclaimable == w.reclaimed() {
		return nil
	}
	changed := w.with(ready)
	status := changed.Object["status"].(map[string]any)
	delete(status, "reclaimablePods")
	if reclaimable > 0 {
		status["reclaimablePods"] = []any{map[string]any{"name": workers, "count": int64(reclaimable)}}
	}
	return changed
}

// podsReady returns the condition PodsReady. Its reason is the memory of whether all pods were ready before.
func (w *Workload) podsReady(job *Training) meta.Condition {
	old := w.Condition("PodsReady")
	recovers := old.Reason == waitForRecovery || old.Reason == recovered
	condition := meta.Condition{Type: "PodsReady", Status: meta.ConditionFalse, Reason: waitForStart, Message: "Not all pods are ready"}
	switch {
	case !w.Is("Admitted"):
	case job.HasReadyPods():
		condition.Status, condition.Reason, condition.Message = meta.ConditionTrue, "Started", "All pods are ready"
		if recovers {
			condition.Reason = recovered
		}
	case recovers || old.Status == meta.ConditionTrue:
		condition.Reason = waitForRecovery
	}
	return condition
}

// reclaimable returns how many workers will not run again. While quota is reserved Kueue refuses that they become fewer.
func (w *Workload) reclaimable(job *Training) int32 {
	if w.Is("QuotaReserved") {
		return max(job.Status.Ended, w.reclaimed())
	}
	return job.Status.Ended
}

func (w *Workload) reclaimed() int32 {
	for _, entry := range w.Status.ReclaimablePods {
		if entry.Name == workers {
			return entry.Count
		}
	}
	return 0
}
