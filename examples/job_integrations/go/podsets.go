package main

import (
	"fmt"
	"maps"
	"slices"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
)

// PodSetUpdate is what a flavor or a check adds to the pods of a pod set.
type PodSetUpdate struct {
	Name         string            `json:"name"`
	Labels       map[string]string `json:"labels"`
	Annotations  map[string]string `json:"annotations"`
	NodeSelector map[string]string `json:"nodeSelector"`
	Tolerations  []core.Toleration `json:"tolerations"`
}

// Contradiction is an addition that disagrees with the pods, now and at each further try.
type Contradiction struct{ text string }

func (c *Contradiction) Error() string { return c.text }

// Apply adds labels, annotations, node labels and tolerations to a pod template. A value that is there already is no contradiction.
func (u *PodSetUpdate) Apply(template *core.PodTemplateSpec) error {
	for _, section := range []struct {
		name  string
		there *map[string]string
		added map[string]string
	}{
		{"labels", &template.Labels, u.Labels},
		{"annotations", &template.Annotations, u.Annotations},
		{"nodeSelector", &template.Spec.NodeSelector, u.NodeSelector},
	} {
		for key, value := range section.added {
			if present, is := (*section.there)[key]; is && present != value {
				return &Contradiction{fmt.Sprintf("%s: %s is %q and %q", section.name, key, present, value)}
			}
			if *section.there == nil {
				*section.there = map[string]string{}
			}
			(*section.there)[key] = value
		}
	}
	for _, toleration := range u.Tolerations {
		if !slices.ContainsFunc(template.Spec.Tolerations, func(present core.Toleration) bool {
			return equality.Semantic.DeepEqual(present, toleration)
		}) {
			template.Spec.Tolerations = append(template.Spec.Tolerations, toleration)
		}
	}
	return nil
}

// Restored returns the pod sets of a Training as its user wrote them. What flavors and checks may have added to is taken from the
// Workload, which was made before; everything else in a template is the user's. A count that was admitted is that of the user
// again, another one was chosen by the user.
func (w *Workload) Restored(job *Training) []PodSet {
	podSets := job.PodSets()
	for i := range podSets {
		asked := w.PodSet(podSets[i].Name)
		if asked == nil {
			continue
		}
		if podSets[i].Count == w.AdmittedCount(asked) {
			podSets[i].Count = asked.Count
		}
		template, original := &podSets[i].Template, asked.Template.DeepCopy()
		template.Labels, template.Annotations = original.Labels, original.Annotations
		template.Spec.NodeSelector, template.Spec.Tolerations = original.Spec.NodeSelector, original.Spec.Tolerations
	}
	return podSets
}

// HasAdditions tells whether templates of a Training differ from those of its user.
func (w *Workload) HasAdditions(job *Training) bool {
	return !equality.Semantic.DeepEqual(w.Restored(job), job.PodSets())
}

// Describes tells whether a Workload asks for what its Training needs. Of a Training that runs the count is the admitted one; of
// one that waits also the placement of its pods is compared: its user may have changed it.
func (w *Workload) Describes(job *Training) bool {
	podSets := job.PodSets()
	if len(podSets) != len(w.Spec.PodSets) {
		return false
	}
	for i := range podSets {
		needed, asked := &podSets[i], &w.Spec.PodSets[i]
		if needed.Name != asked.Name || !sameRequests(needed.Template.Spec, asked.Template.Spec) {
			return false
		}
		if needed.Count != w.AdmittedCount(asked) && !(job.Spec.Suspend && needed.Count == asked.Count) {
			return false
		}
		// A Workload with quota cannot be changed any more.
		if job.Spec.Suspend && !w.Is("QuotaReserved") && !samePlacement(needed, asked) {
			return false
		}
	}
	return true
}

// sameRequests compares containers. Kueue fills in requests that a template lacks, from limits and from LimitRanges, so that only
// those that the template has are compared.
func sameRequests(needed, asked core.PodSpec) bool {
	return slices.EqualFunc(needed.Containers, asked.Containers, sameContainer) &&
		slices.EqualFunc(needed.InitContainers, asked.InitContainers, sameContainer)
}

func sameContainer(needed, asked core.Container) bool {
	requests := core.ResourceList{}
	maps.Copy(requests, needed.Resources.Limits)
	maps.Copy(requests, needed.Resources.Requests)
	for name, quantity := range requests {
		if other, is := asked.Resources.Requests[name]; is && quantity.Cmp(other) != 0 {
			return false
		} else if _, requested := needed.Resources.Requests[name]; requested && !is {
			return false
		}
	}
	return needed.Name == asked.Name
}

// samePlacement compares what decides where, and with how few pods, a pod set may run.
func samePlacement(needed, asked *PodSet) bool {
	same, there, here := equality.Semantic.DeepEqual, needed.Template, asked.Template
	return same(needed.MinCount, asked.MinCount) &&
		same(there.Labels, here.Labels) && same(there.Annotations, here.Annotations) &&
		same(there.Spec.NodeSelector, here.Spec.NodeSelector) && same(there.Spec.Tolerations, here.Spec.Tolerations) &&
		same(there.Spec.Affinity, here.Spec.Affinity)
}
