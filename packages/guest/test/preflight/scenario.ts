import type { RuntimeState } from "../../src/kubeadm/preflight/facts.ts";

/** A machine, and how kubeadm is called on it. What is not named is as kubeadm wants it. */
export interface Scenario {
  readonly command: "init" | "join";
  /** After `--config PATH`. */
  readonly args?: readonly string[];
  readonly configuration: string;
  readonly cpus?: 1 | 2;
  /** Default: those of this host. */
  readonly memoryMB?: number;
  readonly swap?: boolean;
  readonly forwarding?: boolean;
  /** Programs that are not on the path. */
  readonly without?: readonly string[];
  /** What `kubelet --version` says. Default: the version of kubeadm. */
  readonly kubelet?: string;
  /** Default: a kubelet that is enabled. */
  readonly services?: Readonly<Record<string, { readonly enabled: boolean; readonly running: boolean }>>;
  readonly ports?: readonly number[];
  readonly files?: readonly string[];
  readonly runtime?: RuntimeState;
  /** True if the Node's name can be resolved. Default: it can. */
  readonly hasName?: boolean;
}

export const socket = "/var/run/containerd/containerd.sock";
export const nodeName = "worker-0";
export const kubeletEnabled = { kubelet: { enabled: true, running: false } } as const;

/** What the name server of the namespace, and that of the model, say of a name that there is not. */
export const resolver = "127.0.0.53";
