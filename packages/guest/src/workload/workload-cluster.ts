import { existsSync, readFileSync } from "node:fs";
import type { Duplex } from "node:stream";
import { Secret, type CapstanError, type Clock, type Logger, type Random } from "@capstan/contract";
import { connect, createCache, createClient, type Client, type Connection } from "@capstan/kube";
import { issueCertificate } from "@capstan/pki";
import type { KubeObject } from "@capstan/schema";
import type { Kubelets } from "../controllers/kubelets.ts";
import { runControllers } from "../controllers/run-controllers.ts";
import { EtcdCluster, type EtcdState } from "../etcd/etcd-cluster.ts";
import { CertificateSigningRequest, signKubeletCertificates } from "./certificate-signer.ts";
import type { ControlPlaneMaterial } from "./control-plane-material.ts";
import { checkKubeletRights } from "./kubelet-rights.ts";
import type { ServerRegistration } from "./server-registration.ts";
import { NodePorts } from "../network/node-ports.ts";
import { replaceFile } from "../replace-file.ts";
import { startApiServer, type RunningApiServer } from "./start-api-server.ts";

export interface WorkloadEnvironment {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly kubelets: Kubelets;
  readonly onStorageFailed?: ((failure: CapstanError) => void) | undefined;
}

/** The control plane of one workload cluster: an API server with the cluster's own certificates, and the controllers kubeadm relies on. */
export class WorkloadCluster {
  readonly #material: ControlPlaneMaterial;
  readonly #environment: WorkloadEnvironment;
  readonly #stop = new AbortController();
  /** What listens on the machines of the cluster. */
  readonly ports = new NodePorts();
  /** The members on its control-plane machines; none where the user has an etcd. */
  readonly etcd: EtcdCluster;
  /** PEM of the authority that the members trust; of the first one. */
  etcdAuthority: string | undefined;
  /** What the servers of k3s and RKE2 hand to those that join; none where kubeadm made the cluster. */
  registration: ServerRegistration | undefined;
  /** One of its API servers asks kubelets with no more rights than the cluster gives it. */
  bindsKubeletClient = false;
  #server: RunningApiServer | undefined;
  #connection: Connection | undefined;
  #client: Client | undefined;
  #controllers: Promise<void> = Promise.resolve();

  constructor(material: ControlPlaneMaterial, environment: WorkloadEnvironment) {
    this.#material = material;
    this.#environment = environment;
    const file = material.file === undefined ? undefined : `${material.file}.etcd.json`;
    this.etcd = new EtcdCluster({
      random: environment.random,
      ...(file !== undefined && {
        saved: existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as EtcdState) : undefined,
        save: (state) => replaceFile(file, JSON.stringify(state)),
      }),
    });
  }

  /** Loopback port behind every control-plane machine's own address. */
  get port(): number {
    if (this.#server === undefined) throw new Error("the workload cluster is not started");
    return this.#server.port;
  }

  /** PEM of the certificate that it shows. */
  get servingCertificate(): string {
    return this.#material.serving.certificate;
  }

  /** With the rights of `system:masters`. */
  get admin(): Client {
    if (this.#client === undefined) throw new Error("the workload cluster is not started");
    return this.#client;
  }

  /** Rejects when the signal is aborted first; then, as after any failure, it has to be stopped. */
  async start({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    signal.throwIfAborted();
    const abandon = (): void => this.#stop.abort(signal.reason);
    signal.addEventListener("abort", abandon, { once: true });
    try {
      await this.#serve();
    } finally {
      signal.removeEventListener("abort", abandon);
    }
  }

  async stop(): Promise<void> {
    this.#stop.abort(new DOMException("the workload cluster stops", "AbortError"));
    await this.#controllers;
    await this.#connection?.close();
    await this.#server?.stop();
  }

  async #connectPod(pod: KubeObject, port: number): Promise<Duplex> {
    if (this.bindsKubeletClient) await checkKubeletRights(this.admin);
    return this.ports.connect(pod, port);
  }

  async #serve(): Promise<void> {
    const { authority, clientAuthority = authority } = this.#material;
    const { clock, random, log, onStorageFailed } = this.#environment;
    this.#server = await startApiServer({
      ...this.#material,
      connectPod: (pod, port) => this.#connectPod(pod, port),
      clock,
      random,
      log,
      onStorageFailed,
    });
    const admin = await issueCertificate(clientAuthority, {
      now: clock.now(),
      commonName: "kubernetes-admin",
      organizations: ["system:masters"],
      usages: ["client"],
      algorithm: "ECDSA-P256",
    });
    this.#connection = connect({
      url: `https://127.0.0.1:${this.#server.port}`,
      ca: authority.certificate,
      clientCertificate: admin.certificate,
      clientKey: new Secret(admin.key),
      serverName: "kubernetes",
      clock,
    });
    this.#client = createClient(this.#connection);
    const cache = createCache({ connection: this.#connection, random, log });
    const requests = cache.informer<KubeObject>(CertificateSigningRequest, { contents: "full" });
    const signal = this.#stop.signal;
    signKubeletCertificates({ client: this.#client, requests, authority: clientAuthority, clock, signal, log });
    await cache.start({ signal });
    const { kubelets } = this.#environment;
    const controllers = runControllers({ connection: this.#connection, kubelets, clock, random, log, signal });
    this.#controllers = controllers.ended.catch((error: unknown) => {
      if (!signal.aborted) log.error("the controllers of a workload cluster have ended", { error: String(error) });
    });
    await Promise.race([controllers.ready(), this.#controllers]);
  }
}
