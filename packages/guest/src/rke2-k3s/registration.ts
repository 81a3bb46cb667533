import { createHash, X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { connect } from "node:tls";
import { type Endpoint, endpointOf } from "../network/endpoint.ts";
import { failedDial } from "../network/passage.ts";
import type { MachineContext } from "../node/machine-context.ts";
import type { WorkloadCluster } from "../workload/workload-cluster.ts";
import { type Distribution, serviceError } from "./distribution.ts";

/** Time that a service tries to reach a server before systemd calls it failed, and the interval between attempts. */
const timeoutMs = 300_000;
const pollMs = 500;

/** The password in a token. A long one pins the authority: `K10<SHA-256 of the PEM>::server:<password>`. */
const parseToken = (token: string): { readonly password: string; readonly hash: string | undefined } => {
  const long = /^K10([0-9a-f]{64})::(?:[a-z]+:)?(.+)$/.exec(token);
  if (long === null && token.startsWith("K10")) throw serviceError("invalid token CA hash length");
  return { hash: long?.[1], password: long?.[2] ?? token };
};

/** The certificate that a server shows. */
const shownBy = ({ host, port, serverName }: Endpoint, signal: AbortSignal): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect({
      host,
      port,
      // TLS names no addresses.
      ...(serverName !== undefined && isIP(serverName) === 0 && { servername: serverName }),
      rejectUnauthorized: false,
      timeout: 5000,
    });
    const abort = (): void => void socket.destroy(new Error("the machine is switched off"));
    signal.addEventListener("abort", abort, { once: true });
    socket.once("timeout", () => socket.destroy(new Error("i/o timeout")));
    socket.once("error", reject);
    socket.once("close", () => {
      signal.removeEventListener("abort", abort);
      reject(new Error("the connection was closed"));
    });
    socket.once("secureConnect", () => {
      const certificate = socket.getPeerX509Certificate();
      if (certificate !== undefined) resolve(certificate.toString());
      socket.end();
    });
  });

/** Throws in Go's words where a firewall drops what goes to the server, or its name leads nowhere. */
const checkWay = (machine: MachineContext, url: URL): void => {
  const dial = failedDial(machine, url);
  if (dial !== undefined) throw new Error(dial);
};

const clusterAt = async (machine: MachineContext, url: URL): Promise<WorkloadCluster> => {
  const { clock, console: output, signal, workloads } = machine;
  const deadline = clock.now() + timeoutMs;
  for (;;) {
    let problem: string;
    try {
      checkWay(machine, url);
      const cluster = await workloads.findServing(await shownBy(endpointOf(url, machine.request), signal));
      if (cluster !== undefined) return cluster;
      problem = "not a server of a cluster";
    } catch (error) {
      signal.throwIfAborted();
      problem = (error as Error).message;
    }
    if (clock.now() >= deadline) throw serviceError(`failed to get CA certs: ${url.href}cacerts: ${problem}`);
    output.print("supervisor", `failed to get CA certs: ${url.href}cacerts: ${problem}; trying again`);
    await clock.sleep(pollMs, { signal });
  }
};

/** Registers with a server: finds it by the network, checks its authority when the token pins it, and shows the token. */
export const registerWith = async (
  machine: MachineContext,
  { name }: Distribution,
  request: { readonly server: string; readonly token: string; readonly role: "agent" | "server" },
): Promise<{
  readonly cluster: WorkloadCluster;
  readonly registration: NonNullable<WorkloadCluster["registration"]>;
}> => {
  const { role, server, token } = request;
  if (!URL.canParse(server)) throw serviceError(`invalid server url ${JSON.stringify(server)}`);
  const { hash, password } = parseToken(token);
  const cluster = await clusterAt(machine, new URL(server));
  const { registration } = cluster;
  if (registration === undefined) throw serviceError(`${server} is no server of ${name}`);
  const { certificate } = registration.material.authority;
  if (hash !== undefined && hash !== createHash("sha256").update(certificate).digest("hex")) {
    throw serviceError("token CA hash does not match the Cluster CA certificate hash");
  }
  const { agentToken } = registration;
  const accepted = role === "server" ? [registration.token] : [registration.token, agentToken];
  if (!accepted.some((known) => known !== undefined && parseToken(known).password === password)) {
    throw serviceError(`failed to validate connection to cluster at ${server}: not authorized`);
  }
  machine.console.print(name, `[registration] joined the cluster of ${new X509Certificate(certificate).subject}`);
  return { cluster, registration };
};
