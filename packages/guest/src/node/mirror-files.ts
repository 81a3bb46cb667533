import { createHash } from "node:crypto";
import { isCapstanError, rfc3339 } from "@capstan/contract";
import type { Client } from "@capstan/kube";
import type { KubeObject } from "@capstan/schema";
import { Node, Pod, type PodObject } from "../kinds/workload-kinds.ts";
import { isComponentName } from "../kinds/component-name.ts";
import type { MachineContext } from "./machine-context.ts";
import { readManifest } from "./static-manifest.ts";

/** Delay before a kubelet retries an API server that does not answer. */
const retryMs = 1000;

const hashKey = "kubernetes.io/config.hash";

interface StaticPod {
  readonly hash: string;
  readonly path: string;
  readonly pod: PodObject;
  readonly forbidden?: string;
}

/** The kubelet whose folder it is. */
export interface MirroringKubelet {
  readonly node: string;
  /** With the `v`. */
  readonly version: string;
  /** Where it looks for manifests. */
  readonly folder: string;
  /** The rights to show its Pods; `undefined`: the API server does not run, or it does not get there. */
  readonly client: () => Promise<Client | undefined>;
}

const mirrorOf = (key: string, { hash, pod }: StaticPod, node: KubeObject, now: number): KubeObject => {
  const [namespace = "", name = ""] = key.split("/");
  const { annotations, labels } = pod.metadata;
  const own = [
    { apiVersion: "v1", kind: "Node", name: node.metadata.name ?? "", uid: node.metadata.uid ?? "", controller: true },
  ];
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      namespace,
      name,
      ...(labels && { labels }),
      annotations: {
        ...annotations,
        [hashKey]: hash,
        "kubernetes.io/config.mirror": hash,
        "kubernetes.io/config.seen": rfc3339(now),
        "kubernetes.io/config.source": "file",
      },
      ownerReferences: own,
    },
    spec: {
      ...pod.spec,
      nodeName: node.metadata.name,
      tolerations: [...(pod.spec.tolerations ?? []), { operator: "Exists", effect: "NoExecute" }],
    },
  };
};

/** Shows what is in one folder, once for each change. */
class Mirror {
  readonly #machine: Pick<MachineContext, "clock" | "console" | "disk">;
  readonly #kubelet: MirroringKubelet;
  readonly #signal: AbortSignal;
  readonly #shown = new Map<string, string>();
  /** The last complaint about each file, which is printed once. */
  readonly #said = new Map<string, string>();
  #changes = 0;
  #isBusy = false;

  constructor(
    machine: Pick<MachineContext, "clock" | "console" | "disk">,
    kubelet: MirroringKubelet,
    signal: AbortSignal,
  ) {
    this.#machine = machine;
    this.#kubelet = kubelet;
    this.#signal = signal;
  }

  /** Called when a file has changed. */
  async follow(): Promise<void> {
    this.#changes += 1;
    if (this.#isBusy) return;
    this.#isBusy = true;
    for (let done = 0; done !== this.#changes && !this.#signal.aborted;) {
      const seen = this.#changes;
      try {
        if (await this.#sync()) done = seen;
      } catch {
        // An API server that does not answer is asked again.
      }
      if (done !== seen) await this.#machine.clock.sleep(retryMs, { signal: this.#signal }).catch(() => undefined);
    }
    this.#isBusy = false;
  }

  #say(path: string, line: string): void {
    if (this.#said.get(path) === line) return;
    this.#said.set(path, line);
    this.#machine.console.print("kubelet", line);
  }

  /** The Pods of the folder, by the namespace and the name of the Pod that shows each. */
  #wanted(): ReadonlyMap<string, StaticPod> {
    const { disk } = this.#machine;
    const { folder, node, version } = this.#kubelet;
    const found = new Map<string, StaticPod>();
    for (const path of disk.paths()) {
      const file = path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : "";
      if (file === "" || file.startsWith(".") || file.includes("/") || isComponentName(file.replace(/\.yaml$/, ""))) {
        continue;
      }
      const text = disk.text(path) ?? "";
      const { fault, forbidden, pod } = readManifest(path, text, { node, version });
      if (fault !== undefined) {
        this.#say(path, `"Could not process manifest file" err=${JSON.stringify(fault)} path=${JSON.stringify(path)}`);
      }
      if (pod === undefined) continue;
      const hash = createHash("md5").update(`${node}\0${path}\0${text}`).digest("hex");
      const key = `${pod.metadata.namespace ?? "default"}/${pod.metadata.name ?? ""}-${node}`;
      found.set(key, { hash, path, pod, ...(forbidden !== undefined && { forbidden }) });
    }
    return found;
  }

  /** Returns false if the API server was not there. */
  async #sync(): Promise<boolean> {
    const wanted = this.#wanted();
    const gone = [...this.#shown].filter(([key, hash]) => wanted.get(key)?.hash !== hash);
    const missing = [...wanted].filter(([key, { hash }]) => this.#shown.get(key) !== hash);
    if (gone.length + missing.length === 0) return true;
    const client = await this.#kubelet.client();
    if (client === undefined) return false;
    for (const [key] of gone) {
      await this.#remove(client, key);
      this.#shown.delete(key);
    }
    if (missing.length === 0) return true;
    const node = await client.get(Node, { name: this.#kubelet.node }, { signal: this.#signal });
    for (const [key, pod] of missing) await this.#show(client, key, pod, node);
    return true;
  }

  async #show(client: Client, key: string, wanted: StaticPod, node: KubeObject): Promise<void> {
    const [namespace = "", name = ""] = key.split("/");
    const present = await client.find(Pod, { namespace, name }, { signal: this.#signal });
    if (present?.metadata.annotations?.[hashKey] !== wanted.hash) {
      if (present !== undefined) await this.#remove(client, key);
      const refusal =
        wanted.forbidden ?? (await this.#create(client, mirrorOf(key, wanted, node, this.#machine.clock.now())));
      if (refusal !== undefined) {
        this.#say(
          wanted.path,
          `"Failed creating a mirror pod for" err=${JSON.stringify(refusal)} pod=${JSON.stringify(key)}`,
        );
      }
    }
    this.#shown.set(key, wanted.hash);
  }

  /** Returns why the API server refuses it, as it would again; the kubelet runs it all the same. */
  async #create(client: Client, pod: KubeObject): Promise<string | undefined> {
    try {
      await client.create(Pod, pod, { signal: this.#signal });
      return undefined;
    } catch (error) {
      const isRefused = ["kube.invalid", "kube.forbidden", "kube.not_found"].some((code) =>
        isCapstanError(error, code),
      );
      if (isRefused && error instanceof Error) return error.message;
      throw error;
    }
  }

  async #remove(client: Client, key: string): Promise<void> {
    const [namespace = "", name = ""] = key.split("/");
    try {
      await client.delete(Pod, { namespace, name }, { gracePeriodSeconds: 0, signal: this.#signal });
    } catch (error) {
      if (!isCapstanError(error, "kube.not_found")) throw error;
    }
  }
}

/**
 * Shows the static Pods of a kubelet's folder of manifests, whoever wrote them, as the kubelet mirrors them: from when a file is there until
 * it is gone, and as another Pod when it changes. Those of the control plane's components are reported by `reportStaticPods`. Returns the function that
 * ends that; the Pods go with their Node.
 */
export const mirrorFiles = (
  machine: Pick<MachineContext, "clock" | "console" | "disk" | "signal">,
  kubelet: MirroringKubelet,
): (() => void) => {
  const stop = new AbortController();
  const mirror = new Mirror(machine, kubelet, AbortSignal.any([machine.signal, stop.signal]));
  const unwatch = machine.disk.watch(kubelet.folder, () => void mirror.follow());
  void mirror.follow();
  return () => {
    unwatch();
    stop.abort();
  };
};
