package envtest_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

var kind = schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Budget"}

func budget(name string, limit, spent int64) *unstructured.Unstructured {
	one := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"limit": limit, "spent": spent}}}
	one.SetGroupVersionKind(kind)
	one.SetNamespace("default")
	one.SetName(name)
	return one
}

// TestRuleRefuses shows that the definition's rule is judged by the server.
func TestRuleRefuses(t *testing.T) {
	err := connected(t).Create(deadline(t), budget("overdrawn", 1, 2))
	if !errors.IsInvalid(err) || !strings.Contains(err.Error(), "spent is more than the limit") {
		t.Fatalf("expected the rule's message, got: %v", err)
	}
}

// TestControllerKeepsStatus runs a manager whose controller writes what is left of a budget.
func TestControllerKeepsStatus(t *testing.T) {
	ctx := deadline(t)
	running, stop := context.WithCancel(ctx)
	defer stop()
	runKeeper(t, running)

	clients, one := connected(t), budget("team-a", 10, 3)
	if err := clients.Create(ctx, one); err != nil {
		t.Fatal(err)
	}
	left := func(want int64) func() error {
		return func() error {
			if err := clients.Get(ctx, client.ObjectKeyFromObject(one), one); err != nil {
				return err
			}
			if got, _, _ := unstructured.NestedInt64(one.Object, "status", "left"); got != want {
				return fmt.Errorf("status.left is %d, expected %d", got, want)
			}
			return nil
		}
	}
	eventually(t, left(7))
	if _, err := controllerutil.CreateOrUpdate(ctx, clients, one, func() error {
		return unstructured.SetNestedField(one.Object, int64(9), "spec", "spent")
	}); err != nil {
		t.Fatal(err)
	}
	eventually(t, left(1))
}

// TestUserHasOnlyItsRights shows that users added to the environment are authorized by RBAC.
func TestUserHasOnlyItsRights(t *testing.T) {
	user, err := environment.AddUser(envtest.User{Name: "alice", Groups: []string{"devs"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	clients, err := client.New(user.Config(), client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err = clients.Create(deadline(t), budget("mine", 1, 0)); !errors.IsForbidden(err) {
		t.Fatalf("expected 403 for a user without a role, got: %v", err)
	}
}

func runKeeper(t *testing.T, ctx context.Context) {
	t.Helper()
	running, err := manager.New(config, manager.Options{Metrics: server.Options{BindAddress: "0"}})
	if err != nil {
		t.Fatal(err)
	}
	watched := &unstructured.Unstructured{}
	watched.SetGroupVersionKind(kind)
	if err = builder.ControllerManagedBy(running).For(watched).Complete(reconcile.Func(keeper(running.GetClient()))); err != nil {
		t.Fatal(err)
	}
	go func() { _ = running.Start(ctx) }()
	if !running.GetCache().WaitForCacheSync(ctx) {
		t.Fatal("the cache does not fill")
	}
}

func keeper(clients client.Client) func(context.Context, reconcile.Request) (reconcile.Result, error) {
	return func(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
		one := &unstructured.Unstructured{}
		one.SetGroupVersionKind(kind)
		if err := clients.Get(ctx, request.NamespacedName, one); err != nil {
			return reconcile.Result{}, client.IgnoreNotFound(err)
		}
		limit, _, _ := unstructured.NestedInt64(one.Object, "spec", "limit")
		spent, _, _ := unstructured.NestedInt64(one.Object, "spec", "spent")
		if err := unstructured.SetNestedField(one.Object, limit-spent, "status", "left"); err != nil {
			return reconcile.Result{}, err
		}
		return reconcile.Result{}, clients.Status().Update(ctx, one)
	}
}

func eventually(t *testing.T, holds func() error) {
	t.Helper()
	var err error
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if err = holds(); err == nil {
			return
		}
	}
	t.Fatal(err)
}
