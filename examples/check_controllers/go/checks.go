package main

import (
	"context"

	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Checks says of the AdmissionChecks that name this controller that they can be used.
type Checks struct {
	client.Client
	Name string
}

// SetUp registers the controller.
func (c *Checks) SetUp(manager ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(manager).Named("checks").For(object("AdmissionCheck")).Complete(c)
}

// Reconcile writes the condition Active once for each generation of a check.
func (c *Checks) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	check := object("AdmissionCheck")
	if err := c.Get(ctx, request.NamespacedName, check); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	old := condition(check, "Active")
	active, generation := old["status"] == "True", check.GetGeneration()
	if !c.named(check) || active && old["observedGeneration"] == generation {
		return ctrl.Result{}, nil
	}
	since := meta.Now().UTC().Format("2006-01-02T15:04:05Z")
	if active {
		since, _ = old["lastTransitionTime"].(string)
	}
	return ctrl.Result{}, applyStatus(ctx, c.Client, c.Name, check, map[string]any{"conditions": []any{map[string]any{
		"type": "Active", "status": "True", "reason": "Active", "message": "The check can be used",
		"lastTransitionTime": since, "observedGeneration": generation,
	}}})
}

// Owns tells whether an AdmissionCheck is ours: by its controllerName, never by its own name. One that is being deleted is nobody's.
func (c *Checks) Owns(ctx context.Context, name string) (bool, error) {
	check := object("AdmissionCheck")
	if err := c.Get(ctx, client.ObjectKey{Name: name}, check); err != nil {
		return false, client.IgnoreNotFound(err)
	}
	return c.named(check) && check.GetDeletionTimestamp() == nil, nil
}

func (c *Checks) named(check *unstructured.Unstructured) bool {
	name, _, _ := unstructured.NestedString(check.Object, "spec", "controllerName")
	return name == c.Name
}

// applyStatus writes our part of a status by server-side apply; the resourceVersion makes the server refuse a decision about
// an older state.
func applyStatus(ctx context.Context, to client.Client, owner string, of *unstructured.Unstructured, status map[string]any) error {
	patch := object(of.GetKind())
	patch.SetName(of.GetName())
	patch.SetNamespace(of.GetNamespace())
	patch.SetResourceVersion(of.GetResourceVersion())
	patch.Object["status"] = status
	applied := client.ApplyConfigurationFromUnstructured(patch)
	return to.Status().Apply(ctx, applied, client.ForceOwnership, client.FieldOwner(owner))
}

// condition returns a condition of an object, nil when there is none.
func condition(of *unstructured.Unstructured, name string) map[string]any {
	all, _, _ := unstructured.NestedSlice(of.Object, "status", "conditions")
	for _, one := range all {
		if found, ok := one.(map[string]any); ok && found["type"] == name {
			return found
		}
	}
	return nil
}

func isTrue(of *unstructured.Unstructured, name string) bool {
	return condition(of, name)["status"] == "True"
}
