import { Secret } from "@capstan/contract";
import { connect, type Connection } from "@capstan/kube";
import { fromBase64 } from "@capstan/kube-values";
import { readYamlValue } from "@capstan/kube-values/yaml";
import { failedDial } from "../network/passage.ts";
import type { MachineContext } from "../node/machine-context.ts";
import type { UnixContext } from "../unix/program.ts";

type Json = Readonly<Record<string, unknown>>;

const named = (list: unknown, name: unknown, part: string): Json =>
  (((Array.isArray(list) ? list : []) as readonly Json[]).find((each) => each["name"] === name)?.[part] as
    | Json
    | undefined) ?? {};

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

const decoded = (value: unknown): string | undefined => {
  const encoded = text(value);
  return encoded === undefined ? undefined : Buffer.from(fromBase64(encoded)).toString();
};

const refused = (server: string): Error =>
  new Error(`The connection to the server ${server} was refused - did you specify the right host or port?`);

/** Throws in kubectl's words where a firewall drops what goes to the server. */
const checkWay = (machine: MachineContext, server: string): void => {
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (url === undefined || url.hostname === "127.0.0.1") return;
  const dial = failedDial(machine, url);
  if (dial !== undefined) throw new Error(`Unable to connect to the server: ${dial}`);
};

/**
 * Connects to the cluster that a kubeconfig on the machine's disk names, with what it says its user is. Rejects in kubectl's words; nothing
 * but API servers of simulated clusters is reached.
 */
export const connectByKubeconfig = async (
  machine: MachineContext,
  { disk, environment }: Pick<UnixContext, "disk" | "environment">,
  path: string | undefined,
): Promise<Connection> => {
  const place = path ?? environment["KUBECONFIG"] ?? "/root/.kube/config";
  const content = disk.text(place);
  if (content === undefined) {
    throw path === undefined ? refused("localhost:8080") : new Error(`error: stat ${place}: no such file or directory`);
  }
  const config = (readYamlValue(content) ?? {}) as Json;
  const context = named(config["contexts"], config["current-context"], "context");
  const cluster = named(config["clusters"], context["cluster"], "cluster");
  const user = named(config["users"], context["user"], "user");
  const server = text(cluster["server"]) ?? "";
  const authority =
    decoded(cluster["certificate-authority-data"]) ?? disk.text(String(cluster["certificate-authority"])) ?? "";
  checkWay(machine, server);
  const workload = await machine.workloads.find(authority);
  if (workload === undefined) throw refused(server.replace(/^https?:\/\//, ""));
  const clientCertificate = decoded(user["client-certificate-data"]);
  const clientKey = decoded(user["client-key-data"]);
  const token = text(user["token"]);
  return connect({
    url: `https://127.0.0.1:${workload.port}`,
    ca: authority,
    serverName: "kubernetes",
    clock: machine.clock,
    connections: 1,
    ...(clientCertificate !== undefined &&
      clientKey !== undefined && { clientCertificate, clientKey: new Secret(clientKey) }),
    ...(token !== undefined && { token: new Secret(token) }),
  });
};
