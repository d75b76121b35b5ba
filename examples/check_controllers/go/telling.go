package main

import (
	"fmt"
	"reflect"

	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

const longestMessage = 1000

// told returns the entry that tells a verdict on a Workload: its time moves only with its state, and what pods get stays while it is Ready.
func told(workload *unstructured.Unstructured, old map[string]any, verdict Verdict) (map[string]any, error) {
	stays := verdict.State == old["state"]
	switch verdict.State {
	case ready, retry, rejected:
	case pending:
		if !stays {
			return old, nil
		}
	default:
		return old, nil
	}
	since := old["lastTransitionTime"]
	if !stays {
		since = meta.Now().UTC().Format("2006-01-02T15:04:05Z")
	}
	entry := map[string]any{"name": old["name"], "state": verdict.State, "message": message(verdict), "lastTransitionTime": since}
	if verdict.State == retry && verdict.RequeueAfterSeconds != nil {
		if *verdict.RequeueAfterSeconds < 0 {
			return nil, fmt.Errorf("a delay of %d s is none", *verdict.RequeueAfterSeconds)
		}
		entry["requeueAfterSeconds"] = *verdict.RequeueAfterSeconds
	}
	if verdict.State == ready {
		// Left out they would stay: Kueue owns those of the last Ready as well (server-side apply).
		entry["podSetUpdates"] = append([]any{}, verdict.PodSetUpdates...)
		if updates, there := old["podSetUpdates"]; there && stays {
			entry["podSetUpdates"] = updates
		}
	}
	return entry, contradiction(workload, verdict.PodSetUpdates)
}

func message(verdict Verdict) string {
	text := verdict.Message
	if text == "" {
		text = "The outside system says " + verdict.State
	}
	return text[:min(len(text), longestMessage)]
}

// contradiction tells why pods cannot get what a verdict wants for them: there are no such pods, or they say otherwise.
func contradiction(workload *unstructured.Unstructured, updates []any) error {
	templates := map[any]map[string]any{}
	podSets, _, _ := unstructured.NestedSlice(workload.Object, "spec", "podSets")
	for _, one := range podSets {
		podSet := one.(map[string]any)
		templates[podSet["name"]], _ = podSet["template"].(map[string]any)
	}
	for _, one := range updates {
		update, _ := one.(map[string]any)
		template, known := templates[update["name"]]
		if !known {
			return fmt.Errorf("there are no pods %v", update["name"])
		}
		for field, path := range map[string][]string{
			"labels": {"metadata", "labels"}, "annotations": {"metadata", "annotations"}, "nodeSelector": {"spec", "nodeSelector"},
		} {
			said, _, _ := unstructured.NestedMap(template, path...)
			wanted, _ := update[field].(map[string]any)
			for key, value := range wanted {
				if other, there := said[key]; there && !reflect.DeepEqual(other, value) {
					return fmt.Errorf("pods %v have another value for %s[%s]", update["name"], field, key)
				}
			}
		}
	}
	return nil
}
