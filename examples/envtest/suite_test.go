// Package envtest_test shows a Go suite on controller-runtime's envtest that runs unchanged on a real API server and on fakecluster:
// only KUBEBUILDER_ASSETS says which.
package envtest_test

import (
	"context"
	"os"
	"testing"
	"time"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// The one environment of all tests.
var (
	environment *envtest.Environment
	config      *rest.Config
	started     time.Duration
)

func TestMain(m *testing.M) {
	begin := time.Now()
	environment = &envtest.Environment{
		CRDs:                  []*apiextensions.CustomResourceDefinition{budgets()},
		WebhookInstallOptions: webhooks(),
	}
	var err error
	if config, err = environment.Start(); err != nil {
		println("the environment does not start:", err.Error(), "- is KUBEBUILDER_ASSETS set?")
		os.Exit(1)
	}
	started = time.Since(begin)
	code := m.Run()
	if err = environment.Stop(); err != nil {
		println("the environment does not stop:", err.Error())
		os.Exit(1)
	}
	println("started in", started.Milliseconds(), "ms")
	os.Exit(code)
}

// budgets is a definition with a rule and a status.
func budgets() *apiextensions.CustomResourceDefinition {
	integer := apiextensions.JSONSchemaProps{Type: "integer"}
	return &apiextensions.CustomResourceDefinition{
		ObjectMeta: meta.ObjectMeta{Name: "budgets.example.com"},
		Spec: apiextensions.CustomResourceDefinitionSpec{
			Group: "example.com",
			Names: apiextensions.CustomResourceDefinitionNames{Kind: "Budget", Plural: "budgets"},
			Scope: apiextensions.NamespaceScoped,
			Versions: []apiextensions.CustomResourceDefinitionVersion{{
				Name: "v1", Served: true, Storage: true,
				Subresources: &apiextensions.CustomResourceSubresources{
					Status: &apiextensions.CustomResourceSubresourceStatus{},
				},
				Schema: &apiextensions.CustomResourceValidation{OpenAPIV3Schema: &apiextensions.JSONSchemaProps{
					Type: "object",
					Properties: map[string]apiextensions.JSONSchemaProps{
						"spec": {
							Type:       "object",
							Properties: map[string]apiextensions.JSONSchemaProps{"limit": integer, "spent": integer},
							XValidations: apiextensions.ValidationRules{{
								Rule: "!has(self.spent) || self.spent <= self.limit", Message: "spent is more than the limit",
							}},
						},
						"status": {
							Type: "object", Properties: map[string]apiextensions.JSONSchemaProps{"left": integer},
						},
					},
				}},
			}},
		},
	}
}

// connected returns a client that reads from the server, not from a cache.
func connected(t *testing.T) client.Client {
	t.Helper()
	found, err := client.New(config, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// deadline returns a context that ends before the test's own patience does.
func deadline(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	t.Cleanup(cancel)
	return ctx
}
