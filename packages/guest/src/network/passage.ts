import { isIP } from "node:net";
import type { GuestWayV1 } from "@capstan/contract/v1";
import type { BootRequest } from "../boot/boot-request.ts";

/** Outcome of a connection: the name does not resolve, packets are dropped, or it is established. */
export type Passage = "unresolved" | "dropped" | "open";

/** Who opens connections. */
interface Caller {
  readonly lenient: boolean;
  readonly request: Pick<BootRequest, "address" | "resolve">;
  readonly workloads: { pass(way: GuestWayV1): boolean };
}

/** The machine itself; 127.0.0.1 is none of them, for simulated stores are there. */
const own = new Set(["localhost", "::1"]);

/** Returns whether the networks and firewalls of the clouds let a machine connect to the host of a URL, as its programs name it. */
export const passage = ({ lenient, request, workloads }: Caller, url: URL): Passage => {
  const plain = url.hostname.replace(/^\[|\]$/g, "");
  const { address: from } = request;
  const to = request.resolve?.(plain) ?? plain;
  if (lenient || to === from || own.has(plain)) return "open";
  const isNamed = isIP(plain) === 0;
  if (isNamed && !workloads.pass({ from, to: "resolver", port: 53, protocol: "UDP" })) return "unresolved";
  return workloads.pass({ from, to, port: portOf(url) }) ? "open" : "dropped";
};

/** The port of a URL, also where it does not say it. */
export const portOf = ({ port, protocol }: URL): number =>
  port === "" ? (protocol === "http:" ? 80 : 443) : Number(port);

/** Why a program written in Go gets no connection to the host of a URL; `undefined`: it does. */
export const failedDial = (caller: Caller, url: URL): string | undefined => {
  const way = passage(caller, url);
  if (way === "open") return undefined;
  return way === "dropped"
    ? `dial tcp ${url.hostname}:${portOf(url)}: i/o timeout`
    : `dial tcp: lookup ${url.hostname}: no such host`;
};
