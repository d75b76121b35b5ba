package main

import (
	"crypto/sha1"
	"encoding/hex"
	"maps"
	"slices"
	"strings"

	conditions "k8s.io/apimachinery/pkg/api/meta"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

const (
	kueue         = "kueue.x-k8s.io"
	queueLabel    = kueue + "/queue-name"
	classLabel    = kueue + "/priority-class"
	prebuiltLabel = kueue + "/prebuilt-workload-name"
	timeLabel     = kueue + "/max-exec-time-seconds"
	uidLabel      = kueue + "/job-uid"
	// Annotations with this prefix are for checks that make ProvisioningRequests.
	parameters   = "provreq." + kueue + "/"
	finalizer    = kueue + "/resource-in-use"
	longestName  = 253
	digestLength = 5
)

// Workload is an object of Kueue's. It stays unstructured, so that a PUT loses no field that this program does not know; what it
// reads of it is in Spec and Status.
type Workload struct {
	*unstructured.Unstructured
	fields
}

type fields struct {
	Spec   WorkloadSpec   `json:"spec"`
	Status WorkloadStatus `json:"status"`
}

// WorkloadSpec is what this program writes.
type WorkloadSpec struct {
	QueueName        string            `json:"queueName"`
	PodSets          []PodSet          `json:"podSets"`
	PriorityClassRef *PriorityClassRef `json:"priorityClassRef,omitempty"`
	Priority         int32             `json:"priority,omitempty"`
	TimeLimit        *int32            `json:"maximumExecutionTimeSeconds,omitempty"`
}

// PriorityClassRef names a WorkloadPriorityClass or a PriorityClass.
type PriorityClassRef struct {
	Group string `json:"group"`
	Kind  string `json:"kind"`
	Name  string `json:"name"`
}

// WorkloadStatus is what Kueue and its check controllers have decided.
type WorkloadStatus struct {
	Conditions      []meta.Condition `json:"conditions"`
	Admission       *Admission       `json:"admission"`
	AdmissionChecks []AdmissionCheck `json:"admissionChecks"`
	ReclaimablePods []ReclaimablePod `json:"reclaimablePods"`
}

// Admission says which flavors each pod set has, and with how many pods it may run.
type Admission struct {
	ClusterQueue      string       `json:"clusterQueue"`
	PodSetAssignments []Assignment `json:"podSetAssignments"`
}

// Assignment is the admission of one pod set; Flavors has the name of a ResourceFlavor for each resource.
type Assignment struct {
	Name    string            `json:"name"`
	Flavors map[string]string `json:"flavors"`
	Count   *int32            `json:"count"`
}

// AdmissionCheck is the answer of a check controller.
type AdmissionCheck struct {
	Name          string         `json:"name"`
	PodSetUpdates []PodSetUpdate `json:"podSetUpdates"`
}

// ReclaimablePod says how many pods of a pod set will not run again.
type ReclaimablePod struct {
	Name  string `json:"name"`
	Count int32  `json:"count"`
}

// object returns an empty object of one of Kueue's kinds.
func object(kind string) *unstructured.Unstructured {
	empty := &unstructured.Unstructured{}
	empty.SetGroupVersionKind(schema.GroupVersionKind{Group: kueue, Version: "v1beta2", Kind: kind})
	return empty
}

// workloadOf reads the fields of an object.
func workloadOf(object *unstructured.Unstructured) (*Workload, error) {
	workload := &Workload{Unstructured: object}
	return workload, runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, &workload.fields)
}

// newWorkload returns the Workload of a Training. Its name is the same at each try, so that a creation whose answer was lost makes
// no second one, and has the uid in it, so that a later Training of the same name does not run by it.
func newWorkload(job *Training, spec WorkloadSpec) (*unstructured.Unstructured, error) {
	digest := sha1.Sum([]byte(strings.Join([]string{"Training", trainings.Group, job.Name, string(job.UID)}, "\n")))
	name := "training-" + job.Name
	name = name[:min(len(name), longestName-digestLength-1)] + "-" + hex.EncodeToString(digest[:])[:digestLength]
	workload := object("Workload")
	workload.SetName(name)
	workload.SetNamespace(job.Namespace)
	claim(workload, job)
	annotations := maps.Clone(job.Annotations)
	maps.DeleteFunc(annotations, func(name, _ string) bool { return !strings.HasPrefix(name, parameters) })
	workload.SetAnnotations(annotations)
	written, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&spec)
	workload.Object["spec"] = written
	return workload, err
}

// claim makes a Training the controller of a Workload, which cannot be deleted before this program lets it go.
func claim(workload *unstructured.Unstructured, job *Training) {
	owner := meta.NewControllerRef(job, trainings.WithKind("Training"))
	workload.SetOwnerReferences(append(workload.GetOwnerReferences(), *owner))
	labels := workload.GetLabels()
	if labels == nil {
		labels = map[string]string{}
	}
	labels[uidLabel] = string(job.UID)
	workload.SetLabels(labels)
	if !slices.Contains(workload.GetFinalizers(), finalizer) {
		workload.SetFinalizers(append(workload.GetFinalizers(), finalizer))
	}
}

// ownerOf returns the Training that controls a Workload, nil where none does.
func ownerOf(workload *unstructured.Unstructured) *types.NamespacedName {
	owner := meta.GetControllerOf(workload)
	if owner == nil || owner.Kind != "Training" || owner.APIVersion != trainings.String() {
		return nil
	}
	return &types.NamespacedName{Namespace: workload.GetNamespace(), Name: owner.Name}
}

// Is tells whether a condition is True.
func (w *Workload) Is(condition string) bool {
	return conditions.IsStatusConditionTrue(w.Status.Conditions, condition)
}

// Condition returns a condition, an empty one where there is none.
func (w *Workload) Condition(name string) meta.Condition {
	if condition := conditions.FindStatusCondition(w.Status.Conditions, name); condition != nil {
		return *condition
	}
	return meta.Condition{}
}

// PodSet returns a pod set by its name, nil where there is none.
func (w *Workload) PodSet(name string) *PodSet {
	for i := range w.Spec.PodSets {
		if w.Spec.PodSets[i].Name == name {
			return &w.Spec.PodSets[i]
		}
	}
	return nil
}

// Assignment returns the admission of a pod set, an empty one where there is none.
func (w *Workload) Assignment(name string) Assignment {
	if w.Status.Admission != nil {
		for _, assignment := range w.Status.Admission.PodSetAssignments {
			if assignment.Name == name {
				return assignment
			}
		}
	}
	return Assignment{}
}

// AdmittedCount returns with how many pods a pod set may run: all of it without a word of its admission.
func (w *Workload) AdmittedCount(podSet *PodSet) int32 {
	if count := w.Assignment(podSet.Name).Count; count != nil {
		return *count
	}
	return podSet.Count
}

// hasPriority tells whether a Workload has the class and the value of a priority.
func (w *Workload) hasPriority(wanted WorkloadSpec) bool {
	return w.Spec.PriorityClassRef != nil && *w.Spec.PriorityClassRef == *wanted.PriorityClassRef && w.Spec.Priority == wanted.Priority
}

func (s WorkloadSpec) setPriority(spec map[string]any) {
	class := s.PriorityClassRef
	spec["priorityClassRef"] = map[string]any{"group": class.Group, "kind": class.Kind, "name": class.Name}
	spec["priority"] = int64(s.Priority)
}
