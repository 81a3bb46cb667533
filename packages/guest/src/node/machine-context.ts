import type { Clock, Logger, Random } from "@capstan/contract";
import type { Console } from "../boot/console.ts";
import type { Disk } from "../boot/disk.ts";
import type { EtcdProcess } from "../etcd/etcd-process.ts";
import type { WorkloadRegistry } from "../workload/workload-registry.ts";
import type { MachineSoftware } from "../software/machine-software.ts";
import type { BootRequest } from "../boot/boot-request.ts";

/** Everything the programs of one machine may touch. */
export interface MachineContext {
  readonly request: BootRequest;
  readonly disk: Disk;
  readonly console: Console;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly workloads: WorkloadRegistry;
  /** True if it has every program and checks nothing: see `GuestHostOptions`. */
  readonly lenient: boolean;
  /** Programs, services and kernel state of the machine; not read on a lenient one. */
  readonly software: MachineSoftware;
  /** Version of the kubelet that its documents install; absent: that of its image. */
  installed?: string | undefined;
  /** The version that its image has. */
  readonly askedVersion: () => Promise<string | undefined>;
  /** Settable by `hostnamectl set-hostname`. */
  hostname: string;
  /** Set by kubeadm where the cluster keeps its etcd on its control-plane machines. */
  etcd?: EtcdProcess;
  /** Ends the kubelet; set while one runs. */
  stopKubelet?: () => void;
}
