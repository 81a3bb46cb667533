import { connect } from "node:net";
import { duplexPair, type Duplex } from "node:stream";
import type { KubeObject } from "@capstan/schema";

/** Takes a new connection. */
export type Accept = (connection: Duplex) => void;

/** Which ports of which Nodes are listened on. Pods share the network of their Node; others are not modelled. */
export class NodePorts {
  readonly #listeners = new Map<string, Accept>();

  /** Returns the function that stops listening. A later listener takes the port over. */
  listen(node: string, port: number, accept: Accept): () => void {
    const key = `${node}:${port}`;
    this.#listeners.set(key, accept);
    return () => {
      if (this.#listeners.get(key) === accept) this.#listeners.delete(key);
    };
  }

  /** As a kubelet connects to a port of a Pod; rejects in the words of a container runtime when no one listens. */
  async connect(pod: KubeObject, port: number): Promise<Duplex> {
    const { nodeName } = pod["spec"] as { readonly nodeName?: string };
    const accept = this.#listeners.get(`${nodeName}:${port}`);
    if (accept === undefined) {
      throw new Error(
        `failed to execute portforward in network namespace "host": failed to connect to localhost:${port} inside namespace "host", ` +
          `IPv4: dial tcp4 127.0.0.1:${port}: connect: connection refused`,
      );
    }
    const [here, there] = duplexPair();
    // A pair ends with one of its sides, but the other does not close by itself: it would be kept for ever.
    here.once("close", () => there.destroy());
    accept(there);
    return here;
  }
}

/** Passes connections on to a TCP port of this host. */
export const toLoopback =
  (port: number): Accept =>
  (connection) => {
    const target = connect({ host: "127.0.0.1", port });
    target.on("error", () => connection.destroy()).once("close", () => connection.destroy());
    connection.on("error", () => target.destroy()).once("close", () => target.destroy());
    connection.pipe(target).pipe(connection);
  };
