// Command websites is a small operator on controller-runtime: each Website gets a Deployment with its replicas, whose name stands in
// its status.
//
// With --generate-names it has a bug that no test finds in which nothing goes wrong: the server generates the Deployment's name, and
// whether there is one already is what the cache says.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"k8s.io/apimachinery/pkg/api/errors"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

var (
	websites    = schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Website"}
	deployments = schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}
)

// Websites brings the Deployment of each Website about.
type Websites struct {
	client.Client
	GenerateNames bool
}

func main() {
	generateNames := flag.Bool("generate-names", false, "let the server name the Deployments: a bug")
	flag.Parse()
	ctrl.SetLogger(klog.NewKlogr())
	if err := run(*generateNames); err != nil {
		fmt.Fprintln(os.Stderr, "websites:", err)
		os.Exit(1)
	}
}

func run(generateNames bool) error {
	manager, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{
		Metrics: server.Options{BindAddress: "0"},
		// Without this every look at an object of no Go type is a request.
		Client: client.Options{Cache: &client.CacheOptions{Unstructured: true}},
	})
	if err != nil {
		return err
	}
	reconciler := &Websites{Client: manager.GetClient(), GenerateNames: generateNames}
	if err = ctrl.NewControllerManagedBy(manager).For(object(websites)).Owns(object(deployments)).Complete(reconciler); err != nil {
		return err
	}
	return manager.Start(ctrl.SetupSignalHandler())
}

// Reconcile makes the Deployment of a Website, or brings its replicas up to date, and says its name in the status.
func (w *Websites) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	website := object(websites)
	if err := w.Get(ctx, request.NamespacedName, website); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	deployment, err := w.deploymentOf(ctx, website)
	if err != nil {
		return ctrl.Result{}, err
	}
	if deployment == nil {
		// Its event calls for what comes next.
		return ctrl.Result{}, w.create(ctx, website)
	}
	if replicas := replicasOf(website); replicasOf(deployment) != replicas {
		before := deployment.DeepCopy()
		if err = unstructured.SetNestedField(deployment.Object, replicas, "spec", "replicas"); err != nil {
			return ctrl.Result{}, err
		}
		if err = w.Patch(ctx, deployment, client.MergeFrom(before)); err != nil {
			return ctrl.Result{}, err
		}
	}
	if name, _, _ := unstructured.NestedString(website.Object, "status", "deployment"); name == deployment.GetName() {
		return ctrl.Result{}, nil
	}
	before := website.DeepCopy()
	if err = unstructured.SetNestedField(website.Object, deployment.GetName(), "status", "deployment"); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, client.IgnoreNotFound(w.Status().Patch(ctx, website, client.MergeFrom(before)))
}

// deploymentOf returns the Deployment of a Website, as far as the cache has it; nil when there is none.
func (w *Websites) deploymentOf(ctx context.Context, website *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	all := &unstructured.UnstructuredList{}
	all.SetGroupVersionKind(deployments)
	if err := w.List(ctx, all, client.InNamespace(website.GetNamespace())); err != nil {
		return nil, err
	}
	for index := range all.Items {
		if meta.IsControlledBy(&all.Items[index], website) {
			// What the cache holds is shared, and must not be changed.
			return all.Items[index].DeepCopy(), nil
		}
	}
	return nil, nil
}

// create makes the Deployment of a Website.
func (w *Websites) create(ctx context.Context, website *unstructured.Unstructured) error {
	name := "web-" + website.GetName()
	labels := map[string]any{"website": website.GetName()}
	deployment := object(deployments)
	deployment.Object["spec"] = map[string]any{
		"replicas": replicasOf(website),
		"selector": map[string]any{"matchLabels": labels},
		"template": map[string]any{
			"metadata": map[string]any{"labels": labels},
			"spec":     map[string]any{"containers": []any{map[string]any{"name": "web", "image": "nginx"}}},
		},
	}
	deployment.SetNamespace(website.GetNamespace())
	deployment.SetOwnerReferences([]meta.OwnerReference{*meta.NewControllerRef(website, websites)})
	if w.GenerateNames {
		deployment.SetGenerateName(name + "-")
	} else {
		deployment.SetName(name)
	}
	err := w.Create(ctx, deployment)
	if errors.IsAlreadyExists(err) {
		// With that name it is there, and the cache does not have it yet.
		return nil
	}
	return err
}

func replicasOf(holder *unstructured.Unstructured) int64 {
	replicas, _, _ := unstructured.NestedInt64(holder.Object, "spec", "replicas")
	return replicas
}

func object(kind schema.GroupVersionKind) *unstructured.Unstructured {
	empty := &unstructured.Unstructured{Object: map[string]any{}}
	empty.SetGroupVersionKind(kind)
	return empty
}
