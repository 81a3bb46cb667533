import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { controllers, type ApiServer } from "@capstan/apiserver";
import { clusterSecretType, Label } from "@capstan/contract";
import { ClusterResource, ConfigMapResource, MachineResource, SecretResource } from "@capstan/contract/wire";
import type { Client } from "@capstan/kube";
import { toBase64 } from "@capstan/kube-values";
import { caCertHashes, createCertificateAuthority } from "@capstan/pki";
import { apiVersionOf, resource, type KubeObject } from "@capstan/schema";
import { recentClock } from "@capstan/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { KubeadmConfig } from "../src/api.ts";
import { kubeadmConfigAuthor } from "../src/config/kubeadm-config.ts";
import { authorContext } from "./author-context.ts";
import { startConfigServer, type ConfigServer } from "./config-server.ts";
import { ensureNamespace } from "./own-workload.ts";
import { ask, kubeadm, kubeadmMissing, type Said } from "./kubeadm-programs.ts";

const rbac = (kind: string, plural: string) =>
  resource({ group: "rbac.authorization.k8s.io", version: "v1", kind, plural, namespaced: true });
const Role = rbac("Role", "roles");
const RoleBinding = rbac("RoleBinding", "rolebindings");

const namespace = "default";
const tokenGroup = "system:bootstrappers:kubeadm:default-node-token";
const apiGroup = "rbac.authorization.k8s.io";

const missing = kubeadmMissing();

describe.skipIf(missing !== undefined)("the real kubeadm joins with our documents", () => {
  const clock = recentClock();
  let folder: string;
  let configs: ConfigServer;
  let server: ApiServer;
  let client: Client;
  let version: string;

  const mayRead = async (place: string, subject: { readonly kind: string; readonly name: string }): Promise<void> => {
    const metadata = { namespace: place, name: "discovery" };
    const rules = [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get"] }];
    await client.create(Role, { apiVersion: `${apiGroup}/v1`, kind: "Role", metadata, rules });
    const roleRef = { apiGroup, kind: "Role", name: "discovery" };
    const subjects = [{ apiGroup, ...subject }];
    await client.create(RoleBinding, {
      apiVersion: `${apiGroup}/v1`,
      kind: "RoleBinding",
      metadata,
      roleRef,
      subjects,
    });
  };
  const configMap = async (place: string, name: string, data: Readonly<Record<string, string>>): Promise<void> => {
    await client.create(ConfigMapResource, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { namespace: place, name },
      data,
    });
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "capstan-kubeadm-join-"));
    version = (await ask(kubeadm, ["version", "--output=short"])).text.trim();
    configs = await startConfigServer(clock, controllers(["bootstrap-signer"]));
    ({ server, client } = configs);
    await ensureNamespace(client, "kube-public");
    // What `kubeadm init` leaves.
    const cluster = { server: server.url, "certificate-authority-data": toBase64(server.caCertificate) };
    const clusters = [{ name: "", cluster }];
    await configMap("kube-public", "cluster-info", {
      kubeconfig: stringify({ apiVersion: "v1", kind: "Config", clusters, contexts: null, users: null }),
    });
    await mayRead("kube-public", { kind: "User", name: "system:anonymous" });
    await configMap("kube-system", "kubeadm-config", {
      ClusterConfiguration: stringify({
        apiVersion: "kubeadm.k8s.io/v1beta4",
        kind: "ClusterConfiguration",
        clusterName: "orchid",
        kubernetesVersion: version,
        controlPlaneEndpoint: new URL(server.url).host,
      }),
    });
    const kubelet = { apiVersion: "kubelet.config.k8s.io/v1beta1", kind: "KubeletConfiguration" };
    await configMap("kube-system", "kubelet-config", { kubelet: stringify(kubelet) });
    await mayRead("kube-system", { kind: "Group", name: tokenGroup });
    const data = { "tls.crt": toBase64(server.caCertificate), "tls.key": toBase64("a key") };
    await client.create(SecretResource, {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { namespace, name: "orchid-ca", labels: { [Label.clusterName]: "orchid" } },
      type: clusterSecretType,
      data,
    });
  });
  afterAll(async () => {
    await configs.stop();
    rmSync(folder, { recursive: true });
  });

  const cluster = (): KubeObject => {
    const { hostname, port } = new URL(server.url);
    return {
      apiVersion: apiVersionOf(ClusterResource),
      kind: "Cluster",
      metadata: { namespace, name: "orchid", uid: "c" },
      spec: { controlPlaneEndpoint: { host: hostname, port: Number(port) } },
      status: { initialization: { controlPlaneInitialized: true } },
    };
  };

  /** Writes the files of the document that a worker gets, and returns where kubeadm's configuration is. */
  const fileOf = async (name: string, joinConfiguration?: object): Promise<string> => {
    const object = await client.create<KubeadmConfig>(KubeadmConfig, {
      apiVersion: apiVersionOf(KubeadmConfig),
      kind: "KubeadmConfig",
      metadata: { namespace, name },
      ...(joinConfiguration !== undefined && { spec: { joinConfiguration } }),
    });
    const machine: KubeObject = {
      apiVersion: apiVersionOf(MachineResource),
      kind: "Machine",
      metadata: { namespace, name, labels: { [Label.clusterName]: "orchid" } },
      spec: { version },
    };
    const author = kubeadmConfigAuthor({ tokenTtlMs: 900_000, concurrency: 1 });
    const context = authorContext({ client, clock }, { object, machine, cluster: cluster() });
    const outcome = await author.generate(context);
    if (outcome.state !== "ready") throw new Error(`it waits: ${outcome.message}`);
    const { write_files: files } = parse(String(outcome.value)) as {
      readonly write_files: readonly { readonly path: string; readonly content: string }[];
    };
    let configuration = "";
    for (const { path, content } of files) {
      const place = path.startsWith(folder) ? path : join(folder, name, path);
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, content);
      if (path === "/run/kubeadm/kubeadm-join-config.yaml") configuration = place;
    }
    return configuration;
  };

  /** Discovery is part of the first phase, whose checks of this host do not count. */
  const discover = (file: string): Promise<Said> => {
    const checks = ["--ignore-preflight-errors=all", "--v=1"];
    return ask(kubeadm, ["join", "phase", "preflight", "--config", file, ...checks]);
  };

  /** A token counts once the cluster's signer has signed by it. */
  const untilSigned = async (name: string): Promise<string> => {
    const { spec = {} } = await client.get<KubeadmConfig>(KubeadmConfig, { namespace, name });
    const token = spec.joinConfiguration?.discovery?.bootstrapToken?.token ?? "";
    await clock.advanceUntil(async () => {
      const { data } = (await client.get(ConfigMapResource, { namespace: "kube-public", name: "cluster-info" })) as {
        readonly data?: object;
      };
      return Object.hasOwn(data ?? {}, `jws-kubeconfig-${token.split(".", 1)[0]}`);
    });
    return token;
  };

  it("by the token, endpoint and pinned authority that they are given", async () => {
    const file = await fileOf("by-token");
    await untilSigned("by-token");
    const { succeeded, text } = await discover(file);
    expect(succeeded, text).toBe(true);
    expect(text).toMatch(
      /cluster info signature and contents are valid and TLS certificate validates against pinned roots/i,
    );
    expect(text).toContain('Reading configuration from the "kubeadm-config" ConfigMap');
  });

  it("and not where the pinned authority is another one", async () => {
    const { certificate } = await createCertificateAuthority({ now: clock.now(), algorithm: "ECDSA-P256" });
    const bootstrapToken = { caCertHashes: caCertHashes(certificate) };
    const file = await fileOf("by-wrong-hash", { discovery: { bootstrapToken } });
    await untilSigned("by-wrong-hash");
    const { succeeded, text } = await discover(file);
    expect(succeeded).toBe(false);
    expect(text).toMatch(/none of the public keys .* are pinned/);
  });

  it("by a kubeconfig whose user asks a program for credentials", async () => {
    await fileOf("for-its-token");
    const token = await untilSigned("for-its-token");
    const credential = { apiVersion: "client.authentication.k8s.io/v1", kind: "ExecCredential", status: { token } };
    const exec = { command: "/bin/sh", args: ["-c", `echo '${JSON.stringify(credential)}'`] };
    const kubeConfigPath = join(folder, "discovery.conf");
    const file = await fileOf("by-file", { discovery: { file: { kubeConfigPath, kubeConfig: { user: { exec } } } } });
    const { succeeded, text } = await discover(file);
    expect(succeeded, text).toBe(true);
    expect(text).toContain("Using authentication credentials from the discovery file");
    expect(text).toContain('Reading configuration from the "kubeadm-config" ConfigMap');
  });
});

describe.skipIf(missing === undefined)("the real kubeadm", () => {
  it("is asked to join", ({ skip }) => skip(missing));
});
