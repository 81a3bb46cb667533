import type { Duplex } from "node:stream";
import type { KubeObject } from "@capstan/schema";

/** Opens a connection to a port of a Pod that is bound to a Node. Rejects with what the client is told, for example `connection refused`. */
export type ConnectPod = (pod: KubeObject, port: number) => Promise<Duplex>;

/** A line that a container has written. */
export interface LogLine {
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** Without the line's end. */
  readonly text: string;
}

/**
 * Reads the log of a container that runs or has ended, oldest line first; `previous`: of its run before the last restart. Rejects with
 * what the client is told when the kubelet cannot be reached.
 */
export type ReadPodLog = (
  pod: KubeObject,
  container: { readonly name: string; readonly previous: boolean },
) => Promise<readonly LogLine[]>;
