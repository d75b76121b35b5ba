// Starts a fakecluster for a test: an API server of its own, with time and faults on command. Needs Node alone.
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import https from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";

/** A cluster; `url`, `token` and `ca` lead an administrator to it, `kubeconfig` is the same as a file. */
class Cluster {
  constructor(process, folder, settings) {
    Object.assign(this, settings, { process, folder });
  }

  /** Ask the API server; returns the answer's JSON, or its text. Rejects where it is no success, with `code`. */
  request(method, target, body) {
    const options = { method, ca: this.ca, headers: { authorization: `Bearer ${this.token}`, "content-type": "application/json" } };
    return new Promise((resolve, reject) => {
      const request = https.request(this.url + target, options, async (answer) => {
        let text = "";
        for await (const chunk of answer.setEncoding("utf8")) text += chunk;
        if (answer.statusCode >= 300) {
          reject(Object.assign(new Error(`${method} ${target}: ${answer.statusCode} ${text}`), { code: answer.statusCode }));
        } else {
          resolve(answer.headers["content-type"]?.startsWith("application/json") ? JSON.parse(text) : text);
        }
      });
      request.on("error", reject);
      request.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  /** Let time pass at once; what is due meanwhile happens, and is done when it resolves. */
  advance(seconds) {
    return this.request("POST", "/_fakecluster/clock/advance", { seconds });
  }

  /** Add a fault, as of the laboratory over HTTP; resolves to a function that takes it away. */
  async fault(match, effect) {
    const { id } = await this.request("POST", "/_fakecluster/faults", { match, effect });
    return () => this.request("DELETE", `/_fakecluster/faults/${id}`);
  }

  /** End the server and delete its files. */
  async stop() {
    const ended = new Promise((resolve) => this.process.once("exit", resolve));
    if (this.process.exitCode === null && this.process.kill("SIGTERM")) await ended;
    await rm(this.folder, { recursive: true });
  }
}

/**
 * Start a cluster with further options of `fakecluster serve`; time is virtual unless one says otherwise.
 * FAKECLUSTER names the program where it is not on PATH.
 */
export async function startFakecluster(...options) {
  const folder = await mkdtemp(path.join(tmpdir(), "fakecluster-"));
  const kubeconfig = path.join(folder, "kubeconfig");
  const words = ["serve", "--kubeconfig", kubeconfig, "--clock", "virtual", ...options];
  const child = spawn(process.env.FAKECLUSTER ?? "fakecluster", words, { stdio: ["ignore", "pipe", "inherit"] });
  const line = await new Promise((resolve, reject) => {
    child.once("error", (error) => reject(new Error(`fakecluster does not start: ${error.message}; install it, or name it in FAKECLUSTER`)));
    createInterface(child.stdout).once("line", resolve).once("close", () => resolve(""));
  });
  if (!line.startsWith("ready ")) throw new Error(`fakecluster printed '${line}', expected a line that begins with ready`);
  const text = await readFile(kubeconfig, "utf8");
  const field = (name) => text.match(new RegExp(`${name}: (\\S+)`))[1];
  const ca = Buffer.from(field("certificate-authority-data"), "base64").toString();
  return new Cluster(child, folder, { kubeconfig, url: field("server"), token: field("token"), ca });
}
