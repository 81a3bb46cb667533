import { existsSync, readFileSync } from "node:fs";
import type { Duplex } from "node:stream";
import type { ReadPodLog } from "@capstan/apiserver";
import type { ControllerV1 } from "@capstan/contract/v1";
import { Secret, type CapstanError, type Clock, type Logger, type Random } from "@capstan/contract";
import { connect, createCache, createClient, type Client, type Connection } from "@capstan/kube";
import { issueCertificate } from "@capstan/pki";
import type { KubeObject } from "@capstan/schema";
import type { Clouds } from "../controllers/clouds.ts";
import type { Kubelets } from "../controllers/kubelets.ts";
import { runControllers, runFurther, type RunningControllers } from "../controllers/run-controllers.ts";
import { EtcdCluster, type EtcdState } from "../etcd/etcd-cluster.ts";
import { registryStore } from "../etcd/registry-keys.ts";
import { CertificateSigningRequest, signKubeletCertificates } from "./certificate-signer.ts";
import type { ControlPlaneMaterial } from "./control-plane-material.ts";
import type { PodObject } from "../kinds/workload-kinds.ts";
import { containerLog } from "./container-log.ts";
import { checkKubeletRights } from "./kubelet-rights.ts";
import type { ServerRegistration } from "./server-registration.ts";
import { NodePorts } from "../network/node-ports.ts";
import { replaceFile } from "../replace-file.ts";
import { startApiServer, type RunningApiServer } from "./start-api-server.ts";

const kubeletPort = 10_250;

export interface WorkloadEnvironment {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly kubelets: Kubelets;
  readonly clouds: Clouds;
  readonly onStorageFailed?: ((failure: CapstanError) => void) | undefined;
}

/** The control plane of one workload cluster: an API server with the cluster's own certificates, and the controllers kubeadm relies on. */
export class WorkloadCluster {
  readonly #material: ControlPlaneMaterial;
  readonly #environment: WorkloadEnvironment;
  readonly #stop = new AbortController();
  /** Addresses of the machines that serve it, by the machine. */
  readonly servedAt = new Map<string, string>();
  /** Listeners on the machines of the cluster. */
  readonly ports = new NodePorts();
  /** The members on its control-plane machines; none where the user has an etcd. */
  readonly etcd: EtcdCluster;
  /** PEM of the authority that the members trust; of the first one. */
  etcdAuthority: string | undefined;
  /** Data that servers of k3s and RKE2 hand to joining machines; `undefined` if kubeadm made the cluster. */
  registration: ServerRegistration | undefined;
  /** One of its API servers asks kubelets with no more rights than the cluster gives it. */
  bindsKubeletClient = false;
  #server: RunningApiServer | undefined;
  #connection: Connection | undefined;
  #client: Client | undefined;
  /** Those of every cluster, and those that its distribution brings, by name. */
  readonly #controllers = new Map<string, RunningControllers>();

  constructor(material: ControlPlaneMaterial, environment: WorkloadEnvironment) {
    this.#material = material;
    this.#environment = environment;
    const file = material.file === undefined ? undefined : `${material.file}.etcd.json`;
    this.etcd = new EtcdCluster({
      random: environment.random,
      store: registryStore(() => ({ client: this.admin, signal: this.#stop.signal })),
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

  /**
   * Runs controllers that its distribution brings until the cluster stops, unless those of this name run already; resolves once they know
   * what there is.
   */
  async bring(name: string, controllers: readonly ControllerV1[]): Promise<void> {
    await this.#run(name, (options) => runFurther(options, controllers));
  }

  async stop(): Promise<void> {
    this.#stop.abort(new DOMException("the workload cluster stops", "AbortError"));
    await Promise.all([...this.#controllers.values()].map(({ ended }) => ended));
    await this.#connection?.close();
    await this.#server?.stop();
  }

  async #connectPod(pod: KubeObject, port: number): Promise<Duplex> {
    if (this.bindsKubeletClient) await checkKubeletRights(this.admin, "create");
    this.#reachKubelet(pod);
    return this.ports.connect(pod, port);
  }

  async #readPodLog(pod: KubeObject, container: Parameters<ReadPodLog>[1]): ReturnType<ReadPodLog> {
    if (this.bindsKubeletClient) await checkKubeletRights(this.admin, "get");
    this.#reachKubelet(pod);
    return containerLog(pod as PodObject, container);
  }

  /** Throws as an API server does whose connections to the machine of a Pod are dropped on the way. */
  #reachKubelet({ spec }: KubeObject & { readonly spec?: { readonly nodeName?: string } }): void {
    const { clouds, kubelets } = this.#environment;
    const to = kubelets.get(spec?.nodeName ?? "")?.address;
    const [from] = this.servedAt.values();
    if (to === undefined || from === undefined || from === to) return;
    if (clouds.pass({ from, to, port: kubeletPort })) return;
    throw new Error(`error dialing backend: dial tcp ${to}:${kubeletPort}: i/o timeout`);
  }

  async #serve(): Promise<void> {
    const { authority, clientAuthority = authority } = this.#material;
    const { clock, random, log, onStorageFailed } = this.#environment;
    this.#server = await startApiServer({
      ...this.#material,
      connectPod: (pod, port) => this.#connectPod(pod, port),
      readPodLog: (pod, container) => this.#readPodLog(pod, container),
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
    const { clouds, kubelets } = this.#environment;
    await this.#run("workloads", (options) => runControllers({ ...options, clouds, etcd: this.etcd, kubelets }));
  }

  async #run(name: string, start: (options: Parameters<typeof runFurther>[0]) => RunningControllers): Promise<void> {
    if (this.#connection === undefined) throw new Error("the workload cluster is not started");
    const { clock, log, random } = this.#environment;
    const { signal } = this.#stop;
    let running = this.#controllers.get(name);
    if (running === undefined) {
      const started = start({ connection: this.#connection, clock, random, log, signal });
      const ended = started.ended.catch((error: unknown) => {
        const report = { name, error: String(error) };
        if (!signal.aborted) log.error("the controllers of a workload cluster have ended", report);
      });
      running = { ready: () => started.ready(), ended };
      this.#controllers.set(name, running);
    }
    await Promise.race([running.ready(), running.ended]);
  }
}
