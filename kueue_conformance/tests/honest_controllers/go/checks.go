package main

import (
	"context"
	"fmt"
	"time"

	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

const parametersGroup, parametersKind = "example.com", "Budget"

// owns tells whether a check is ours.
func (c *Controller) owns(name string) bool {
	check := c.checks.Get(name)
	if mistake == "deleted-check-remembered" {
		c.lock.Lock()
		defer c.lock.Unlock()
		return c.everOurs[name]
	}
	return check != nil && c.isOurs(check)
}

// whyUnusable tells what is wrong with a check of ours, "" when it can be used.
func (c *Controller) whyUnusable(name string) string {
	check := c.checks.Get(name)
	if check == nil || mistake == "deleted-check-remembered" || isTrue(check, "Active") {
		return ""
	}
	if message, _ := condition(check, "Active")["message"].(string); message != "" {
		return message
	}
	return "The check is not Active yet"
}

func (c *Controller) isOurs(check *Object) bool {
	name, _, _ := unstructured.NestedString(check.Object, "spec", "controllerName")
	return name == c.name && check.GetDeletionTimestamp() == nil
}

// activate tells in the condition Active whether a check can be used.
func (c *Controller) activate(ctx context.Context, name string) error {
	check := c.checks.Get(name)
	if check == nil || !c.isOurs(check) {
		return nil
	}
	old := condition(check, "Active")
	if mistake == "generation-ignored" && old != nil {
		return nil
	}
	status, reason, message := "True", "Ready", "The check can be used"
	if problem := c.parametersProblem(check); problem != "" {
		status, reason, message = "False", "BadParameters", problem
	}
	if old["status"] == status && old["message"] == message && old["observedGeneration"] == check.GetGeneration() {
		return nil
	}
	since := old["lastTransitionTime"]
	if old["status"] != status {
		since = now()
	}
	active := map[string]any{
		"type": "Active", "status": status, "reason": reason, "message": message, "lastTransitionTime": since, "observedGeneration": check.GetGeneration(),
	}
	conditions := []any{active}
	others, _, _ := unstructured.NestedSlice(check.Object, "status", "conditions")
	for _, item := range others {
		if item.(map[string]any)["type"] != "Active" {
			conditions = append(conditions, item)
		}
	}
	updated := check.DeepCopy()
	if err := unstructured.SetNestedSlice(updated.Object, conditions, "status", "conditions"); err != nil {
		return err
	}
	_, err := c.checksAPI.UpdateStatus(ctx, updated, meta.UpdateOptions{})
	return err
}

// parametersProblem tells what is wrong with the parameters of a check, "" when they are good or there are none.
func (c *Controller) parametersProblem(check *Object) string {
	reference, there, _ := unstructured.NestedStringMap(check.Object, "spec", "parameters")
	if !there {
		return ""
	}
	if reference["apiGroup"] != parametersGroup || reference["kind"] != parametersKind {
		return fmt.Sprintf("Parameters are a %s of %s, not a %s of %s", parametersKind, parametersGroup, reference["kind"], reference["apiGroup"])
	}
	budget := c.budgets.Get(reference["name"])
	if budget == nil || budget.GetDeletionTimestamp() != nil {
		return fmt.Sprintf("There is no Budget %s", reference["name"])
	}
	if limit, said, _ := unstructured.NestedInt64(budget.Object, "spec", "limit"); !said || limit < 0 {
		return fmt.Sprintf("Budget %s has no limit of 0 or more", reference["name"])
	}
	return ""
}

func now() string { return time.Now().UTC().Format(time.RFC3339) }

// condition returns a condition of an object, nil when there is none.
func condition(of *Object, name string) map[string]any {
	all, _, _ := unstructured.NestedSlice(of.Object, "status", "conditions")
	for _, item := range all {
		if condition, ok := item.(map[string]any); ok && condition["type"] == name {
			return condition
		}
	}
	return nil
}

func isTrue(of *Object, name string) bool { return condition(of, name)["status"] == "True" }
