// Package fakeclustertest starts a fakecluster for a Go test: an API server of its own, with time and faults on command.
package fakeclustertest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// Cluster is an API server that ends with its test.
type Cluster struct {
	// Config leads an administrator to it; Kubeconfig is the same as a file, for programs that are started.
	Config     *rest.Config
	Kubeconfig string

	t      *testing.T
	client *http.Client
}

// Start starts a cluster with further options of `fakecluster serve`, such as "--apply", "crds". Time is virtual
// unless an option says otherwise. FAKECLUSTER names the program where it is not on PATH.
func Start(t *testing.T, options ...string) *Cluster {
	t.Helper()
	program := os.Getenv("FAKECLUSTER")
	if program == "" {
		program = "fakecluster"
	}
	kubeconfig := filepath.Join(t.TempDir(), "kubeconfig")
	words := append([]string{"serve", "--kubeconfig", kubeconfig, "--clock", "virtual"}, options...)
	process := exec.Command(program, words...)
	process.Stderr = os.Stderr
	output, err := process.StdoutPipe()
	if err == nil {
		err = process.Start()
	}
	if err != nil {
		t.Fatalf("fakecluster does not start: %v; install it (pip install fakecluster), or name it in FAKECLUSTER", err)
	}
	t.Cleanup(func() {
		_ = process.Process.Signal(syscall.SIGTERM)
		_ = process.Wait()
	})
	if line, err := bufio.NewReader(output).ReadString('\n'); !strings.HasPrefix(line, "ready ") {
		t.Fatalf("fakecluster printed %q, expected a line that begins with ready: %v", line, err)
	}
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		t.Fatalf("the kubeconfig of fakecluster: %v", err)
	}
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatalf("the kubeconfig of fakecluster: %v", err)
	}
	return &Cluster{Config: config, Kubeconfig: kubeconfig, t: t, client: client}
}

// Advance lets time pass at once; what is due meanwhile happens, and is done when it returns.
func (c *Cluster) Advance(duration time.Duration) {
	c.t.Helper()
	c.Do(http.MethodPost, "clock/advance", map[string]any{"seconds": duration.Seconds()}, nil)
}

// Fault adds a fault, and returns what takes it away. The match and the effect are those of the laboratory over HTTP,
// as {"verb": "list", "nth": [1]} and {"kind": "answer", "code": 503}.
func (c *Cluster) Fault(match, effect map[string]any) (remove func()) {
	c.t.Helper()
	var rule struct {
		ID json.RawMessage `json:"id"`
	}
	c.Do(http.MethodPost, "faults", map[string]any{"match": match, "effect": effect}, &rule)
	id := strings.Trim(string(rule.ID), `"`)
	return func() { c.t.Helper(); c.Do(http.MethodDelete, "faults/"+id, nil, nil) }
}

// Do asks the laboratory for anything that it has over HTTP, and reads the answer, JSON, into result unless it is nil.
func (c *Cluster) Do(method, path string, body, result any) {
	c.t.Helper()
	if err := c.do(method, path, body, result); err != nil {
		c.t.Fatalf("%s %s: %v", method, path, err)
	}
}

func (c *Cluster) do(method, path string, body, result any) error {
	encoded, err := json.Marshal(body)
	if err != nil {
		return err
	}
	request, err := http.NewRequest(method, c.Config.Host+"/_fakecluster/"+path, bytes.NewReader(encoded))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	answer, err := c.client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode >= 300 {
		err = fmt.Errorf("%s: %s", answer.Status, text)
	}
	if err != nil || result == nil {
		return err
	}
	return json.Unmarshal(text, result)
}
