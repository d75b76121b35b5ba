package main

import (
	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

const driver, workers = "driver", "workers"

var trainings = schema.GroupVersion{Group: "example.com", Version: "v1"}

// Training is a job of a driver and workers. Its operator runs the pods while spec.suspend is false, and says in its status what
// has become of them.
type Training struct {
	meta.TypeMeta   `json:",inline"`
	meta.ObjectMeta `json:"metadata,omitempty"`

	Spec   TrainingSpec   `json:"spec"`
	Status TrainingStatus `json:"status,omitempty"`
}

// TrainingSpec is written by users; suspend, counts and templates are written by this program as well.
type TrainingSpec struct {
	Suspend bool `json:"suspend"`
	// ManagedBy names the controller that runs the Training elsewhere, as MultiKueue does.
	ManagedBy string  `json:"managedBy,omitempty"`
	Driver    Driver  `json:"driver"`
	Workers   Workers `json:"workers"`
}

// Driver is one pod.
type Driver struct {
	Template core.PodTemplateSpec `json:"template"`
}

// Workers are pods that are alike; a Training with a minCount may run with fewer than count.
type Workers struct {
	Count    int32                `json:"count"`
	MinCount *int32               `json:"minCount,omitempty"`
	Template core.PodTemplateSpec `json:"template"`
}

// TrainingStatus is written by the operator alone.
type TrainingStatus struct {
	Phase string `json:"phase,omitempty"`
	// Active counts the pods that use quota, Ready those of them that are ready, Ended the workers that will not run again.
	Active int32 `json:"active,omitempty"`
	Ready  int32 `json:"ready,omitempty"`
	Ended  int32 `json:"ended,omitempty"`
}

// TrainingList is what the API server answers to a list.
type TrainingList struct {
	meta.TypeMeta `json:",inline"`
	meta.ListMeta `json:"metadata,omitempty"`

	Items []Training `json:"items"`
}

// PodSet is a group of pods that are alike: Kueue assigns flavors to each pod set.
type PodSet struct {
	Name     string               `json:"name"`
	Count    int32                `json:"count"`
	MinCount *int32               `json:"minCount,omitempty"`
	Template core.PodTemplateSpec `json:"template"`
}

// PodSets returns copies of what the Training runs.
func (t *Training) PodSets() []PodSet {
	spec := t.DeepCopy().Spec
	return []PodSet{
		{Name: driver, Count: 1, Template: spec.Driver.Template},
		{Name: workers, Count: spec.Workers.Count, MinCount: spec.Workers.MinCount, Template: spec.Workers.Template},
	}
}

// With returns a Training with other counts and templates, suspended or not.
func (t *Training) With(podSets []PodSet, suspend bool) *Training {
	changed := t.DeepCopy()
	changed.Spec.Suspend = suspend
	changed.Spec.Driver.Template = podSets[0].Template
	changed.Spec.Workers.Count, changed.Spec.Workers.Template = podSets[1].Count, podSets[1].Template
	return changed
}

// IsActive tells whether pods of the Training are left.
func (t *Training) IsActive() bool { return t.Status.Active > 0 }

// IsOver tells whether the Training has ended for good.
func (t *Training) IsOver() bool { return t.Status.Phase == "Succeeded" || t.Status.Phase == "Failed" }

// HasReadyPods tells whether each pod is ready or has ended.
func (t *Training) HasReadyPods() bool {
	return t.IsActive() && t.Status.Ready+t.Status.Ended >= 1+t.Spec.Workers.Count
}

// DeepCopy returns a copy that shares nothing with the original.
func (t *Training) DeepCopy() *Training {
	copied := *t
	t.ObjectMeta.DeepCopyInto(&copied.ObjectMeta)
	t.Spec.Driver.Template.DeepCopyInto(&copied.Spec.Driver.Template)
	t.Spec.Workers.Template.DeepCopyInto(&copied.Spec.Workers.Template)
	if t.Spec.Workers.MinCount != nil {
		minCount := *t.Spec.Workers.MinCount
		copied.Spec.Workers.MinCount = &minCount
	}
	return &copied
}

// DeepCopyObject is asked for by controller-runtime.
func (t *Training) DeepCopyObject() runtime.Object { return t.DeepCopy() }

// DeepCopyObject is asked for by controller-runtime.
func (l *TrainingList) DeepCopyObject() runtime.Object {
	copied := *l
	l.ListMeta.DeepCopyInto(&copied.ListMeta)
	copied.Items = make([]Training, len(l.Items))
	for i := range l.Items {
		copied.Items[i] = *l.Items[i].DeepCopy()
	}
	return &copied
}

// addTrainings makes the kind known to clients and caches.
func addTrainings(kinds *runtime.Scheme) {
	kinds.AddKnownTypes(trainings, &Training{}, &TrainingList{})
	meta.AddToGroupVersion(kinds, trainings)
}
