package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"strconv"

	"k8s.io/apimachinery/pkg/api/errors"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
)

const (
	pending, ready, retry, rejected = "Pending", "Ready", "Retry", "Rejected"
	longestMessage                  = 500
	attempts                        = 5
)

// mayBeJudged tells whether a Workload holds quota and is not on its way out.
func mayBeJudged(workload *Object) bool {
	if active, said, _ := unstructured.NestedBool(workload.Object, "spec", "active"); said && !active {
		return false
	}
	reserved := isTrue(workload, "QuotaReserved") || mistake == "before-reservation"
	return reserved && !isTrue(workload, "Evicted") && !isTrue(workload, "Finished") && workload.GetDeletionTimestamp() == nil
}

// entries returns the entries of a Workload, and the places of ours.
func (c *Controller) entries(workload *Object) (all []any, ours []int) {
	all, _, _ = unstructured.NestedSlice(workload.Object, "status", "admissionChecks")
	for i, item := range all {
		if name, _ := item.(map[string]any)["name"].(string); c.owns(name) {
			ours = append(ours, i)
			if mistake == "first-check-only" {
				break
			}
		}
	}
	return all, ours
}

// judge brings one Workload up to date, and tells whether it has to be looked at again soon.
func (c *Controller) judge(ctx context.Context, of string) (bool, error) {
	workload := c.workloads.Get(of)
	for range attempts {
		entries, ours := []any{}, []int{}
		if workload != nil && mayBeJudged(workload) {
			entries, ours = c.entries(workload)
		}
		if len(ours) == 0 {
			namespace, name := split(of)
			return false, c.outside.Release(ctx, namespace, name)
		}
		if err := c.outside.Claim(ctx, workload.GetNamespace(), workload.GetName()); err != nil {
			return true, err
		}
		changed, open, err := c.decide(ctx, workload, entries, ours)
		if err != nil || len(changed) == 0 {
			return open, err
		}
		err = c.write(ctx, workload, entries, changed)
		if !errors.IsConflict(err) {
			return open, client404(err)
		}
		// Whoever wrote meanwhile may have evicted it: everything is looked at anew.
		if workload, err = c.workloadsAPI.Namespace(workload.GetNamespace()).Get(ctx, workload.GetName(), meta.GetOptions{}); err != nil {
			return open, client404(err)
		}
		if mistake == "blind-retry" {
			newest, _, _ := unstructured.NestedSlice(workload.Object, "status", "admissionChecks")
			for _, i := range changed {
				for j, item := range newest {
					if item.(map[string]any)["name"] == entries[i].(map[string]any)["name"] {
						newest[j] = entries[i]
					}
				}
			}
			return open, client404(c.write(ctx, workload, newest, changed))
		}
	}
	return true, nil
}

// decide asks about our open entries, and puts the answers into the list; it returns the places of those that changed.
func (c *Controller) decide(ctx context.Context, workload *Object, entries []any, ours []int) (changed []int, open bool, err error) {
	for _, i := range ours {
		old := entries[i].(map[string]any)
		name, _ := old["name"].(string)
		if (old["state"] == retry || old["state"] == rejected) && mistake != "overrules-itself" {
			continue // Kueue moves it on
		}
		if old["state"] == ready && mistake == "never-looks-back" {
			continue
		}
		open = true
		if problem := c.whyUnusable(name); problem != "" {
			if old["state"] == pending && old["message"] != problem {
				entry := maps.Clone(old)
				entry["message"] = problem
				entries[i] = entry
				changed = append(changed, i)
			}
			continue
		}
		verdict, err := c.outside.Decide(ctx, workload, name)
		for mistake == "waits-in-worker" && err == nil && verdict.State == pending && c.workloads.Get(key(workload)) != nil {
			pause(ctx, poll)
			if ctx.Err() != nil {
				return nil, true, ctx.Err()
			}
			verdict, err = c.outside.Decide(ctx, workload, name)
		}
		if err != nil {
			return nil, true, err
		}
		entry, err := answered(workload, old, verdict)
		if err != nil {
			return nil, true, err
		}
		if !reflect.DeepEqual(entry, old) {
			entries[i] = entry
			changed = append(changed, i)
		}
	}
	return changed, open, nil
}

// answered returns an entry with a verdict.
func answered(workload *Object, old map[string]any, verdict Verdict) (map[string]any, error) {
	waits := verdict.State == pending && old["state"] == pending && verdict.Message != ""
	if !waits && verdict.State != ready && verdict.State != retry && verdict.State != rejected {
		return old, nil
	}
	entry := maps.Clone(old)
	entry["state"] = verdict.State
	entry["message"] = or(verdict.Message, "The budget service says "+verdict.State)
	if text := []rune(entry["message"].(string)); len(text) > longestMessage {
		entry["message"] = string(text[:longestMessage])
	}
	if verdict.State == old["state"] {
		return entry, nil
	}
	entry["lastTransitionTime"] = now()
	delete(entry, "requeueAfterSeconds")
	delete(entry, "podSetUpdates")
	if verdict.State == retry {
		seconds, hasDelay, err := verdict.Delay()
		if err != nil {
			return nil, err
		}
		if hasDelay && mistake != "delay-dropped" {
			entry["requeueAfterSeconds"] = seconds
		}
	}
	if verdict.State == ready && len(verdict.PodSetUpdates) > 0 {
		updates := []any{}
		for _, update := range verdict.PodSetUpdates {
			if err := fits(workload, update); err != nil {
				return nil, err
			}
			updates = append(updates, update)
		}
		entry["podSetUpdates"] = updates
	}
	return entry, nil
}

// fits tells why pods cannot be given an update: there are none of its name, or their template says otherwise.
func fits(workload *Object, update map[string]any) error {
	podSets, _, _ := unstructured.NestedSlice(workload.Object, "spec", "podSets")
	for _, item := range podSets {
		podSet := item.(map[string]any)
		if podSet["name"] != update["name"] {
			continue
		}
		for field, path := range map[string][]string{
			"labels": {"metadata", "labels"}, "annotations": {"metadata", "annotations"}, "nodeSelector": {"spec", "nodeSelector"},
		} {
			has, _, _ := unstructured.NestedMap(podSet, append([]string{"template"}, path...)...)
			wanted, _ := update[field].(map[string]any)
			for name, value := range wanted {
				if present, there := has[name]; there && present != value {
					return fmt.Errorf("pods %v have %s=%v", update["name"], name, present)
				}
			}
		}
		return nil
	}
	return fmt.Errorf("no pods are called %v", update["name"])
}

// write sends the changed entries, each way with the version that was judged.
func (c *Controller) write(ctx context.Context, workload *Object, entries []any, changed []int) error {
	api := c.workloadsAPI.Namespace(workload.GetNamespace())
	name, version := workload.GetName(), workload.GetResourceVersion()
	merge := map[string]any{"metadata": map[string]any{"resourceVersion": version}, "status": map[string]any{"admissionChecks": entries}}
	switch {
	case mistake == "last-write-wins":
		delete(merge, "metadata")
		_, err := patch(ctx, api, name, types.MergePatchType, merge)
		return err
	case c.design.Write == "merge":
		_, err := patch(ctx, api, name, types.MergePatchType, merge)
		return err
	case c.design.Write == "json":
		steps := []any{map[string]any{"op": "test", "path": "/metadata/resourceVersion", "value": version}}
		for _, i := range changed {
			steps = append(steps, map[string]any{"op": "replace", "path": "/status/admissionChecks/" + strconv.Itoa(i), "value": entries[i]})
		}
		_, err := patch(ctx, api, name, types.JSONPatchType, steps)
		return err
	case c.design.Write == "apply":
		_, ours := c.entries(workload)
		applied := []any{}
		for _, i := range ours {
			entry := maps.Clone(entries[i].(map[string]any))
			delete(entry, "retryCount") // Kueue's
			if _, there := entry["podSetUpdates"]; !there {
				entry["podSetUpdates"] = []any{}
			}
			applied = append(applied, entry)
		}
		object := &Object{Object: map[string]any{"status": map[string]any{"admissionChecks": applied}}}
		object.SetGroupVersionKind(workload.GroupVersionKind())
		object.SetName(name)
		object.SetNamespace(workload.GetNamespace())
		object.SetResourceVersion(version)
		_, err := api.ApplyStatus(ctx, name, object, meta.ApplyOptions{FieldManager: c.name, Force: true})
		return err
	default:
		updated := workload.DeepCopy()
		if err := unstructured.SetNestedSlice(updated.Object, entries, "status", "admissionChecks"); err != nil {
			return err
		}
		_, err := api.UpdateStatus(ctx, updated, meta.UpdateOptions{})
		return err
	}
}

func patch(ctx context.Context, api interface {
	Patch(context.Context, string, types.PatchType, []byte, meta.PatchOptions, ...string) (*Object, error)
}, name string, kind types.PatchType, body any,
) (*Object, error) {
	data, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	return api.Patch(ctx, name, kind, data, meta.PatchOptions{}, "status")
}

// client404 forgets that an object is gone: its deletion is told by the watch.
func client404(err error) error {
	if errors.IsNotFound(err) {
		return nil
	}
	return err
}
