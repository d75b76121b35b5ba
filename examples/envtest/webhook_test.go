package envtest_test

import (
	"context"
	"strings"
	"testing"

	admission "k8s.io/api/admissionregistration/v1"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	answer "sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

const path = "/secretive"

// webhooks asks our handler about every ConfigMap; envtest turns the service into an address and a certificate.
func webhooks() envtest.WebhookInstallOptions {
	fail, none, where := admission.Fail, admission.SideEffectClassNone, path
	return envtest.WebhookInstallOptions{
		ValidatingWebhooks: []*admission.ValidatingWebhookConfiguration{{
			ObjectMeta: meta.ObjectMeta{Name: "secretive.example.com"},
			Webhooks: []admission.ValidatingWebhook{{
				Name: "secretive.example.com",
				ClientConfig: admission.WebhookClientConfig{
					Service: &admission.ServiceReference{Namespace: "default", Name: "secretive", Path: &where},
				},
				Rules: []admission.RuleWithOperations{{
					Operations: []admission.OperationType{admission.Create},
					Rule: admission.Rule{
						APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{"configmaps"},
					},
				}},
				FailurePolicy: &fail, SideEffects: &none, AdmissionReviewVersions: []string{"v1"},
			}},
		}},
	}
}

// TestWebhookIsAsked starts the handler and makes one ConfigMap that it allows and one that it denies.
func TestWebhookIsAsked(t *testing.T) {
	ctx, clients := deadline(t), connected(t)
	options := environment.WebhookInstallOptions
	server := webhook.NewServer(webhook.Options{
		Host: options.LocalServingHost, Port: options.LocalServingPort, CertDir: options.LocalServingCertDir,
	})
	server.Register(path, &answer.Webhook{Handler: answer.HandlerFunc(denyNamesOfSecrets)})
	serving, stop := context.WithCancel(ctx)
	defer stop()
	go func() { _ = server.Start(serving) }()
	eventually(t, func() error { return server.StartedChecker()(nil) })

	good := &core.ConfigMap{ObjectMeta: meta.ObjectMeta{Namespace: "default", Name: "plain"}}
	if err := clients.Create(ctx, good); err != nil {
		t.Fatalf("the webhook allows it, but: %v", err)
	}
	bad := &core.ConfigMap{ObjectMeta: meta.ObjectMeta{Namespace: "default", Name: "my-secret"}}
	err := clients.Create(ctx, bad)
	if !errors.IsForbidden(err) || !strings.Contains(err.Error(), "names no secrets") {
		t.Fatalf("expected a refusal that says why, got: %v", err)
	}
}

func denyNamesOfSecrets(_ context.Context, request answer.Request) answer.Response {
	if strings.Contains(request.Name, "secret") {
		return answer.Denied("a ConfigMap names no secrets")
	}
	return answer.Allowed("")
}
