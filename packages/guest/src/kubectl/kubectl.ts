import { isCapstanError } from "@capstan/contract";
import { createClient } from "@capstan/kube";
import type { KubeObject } from "@capstan/schema";
import type { Internet } from "../internet/internet.ts";
import type { MachineContext } from "../node/machine-context.ts";
import { readOptions, type UnixContext, type UnixProgram } from "../unix/program.ts";
import { apply, type Cluster, kindFinder, saidOf } from "./apply.ts";
import { connectByKubeconfig } from "./workload-access.ts";
import { readManifests } from "./manifests.ts";

const valued = [
  "-f",
  "--filename",
  "-n",
  "--namespace",
  "--kubeconfig",
  "-l",
  "--selector",
  "-o",
  "--output",
  "--field-manager",
  "--timeout",
  "--for",
  "--context",
  "-p",
  "--patch",
  "--type",
];

const applyAll = async (
  context: UnixContext,
  cluster: Cluster,
  objects: readonly KubeObject[],
  verb: string,
): Promise<number> => {
  let status = 0;
  for (const object of objects) {
    try {
      if (verb === "create") {
        const resource = await cluster.resourceOf(object);
        const namespace = object.metadata.namespace ?? cluster.namespace;
        const placed = resource.namespaced ? { ...object, metadata: { ...object.metadata, namespace } } : object;
        await cluster.client.create(resource, placed, { signal: cluster.signal });
        context.write(`${saidOf(object)} created\n`);
      } else context.write(`${saidOf(object)} ${await apply(object, cluster)}\n`);
    } catch (error) {
      cluster.signal.throwIfAborted();
      context.streams.err(
        `${isCapstanError(error) ? `Error from server (${error.reason}): ` : ""}${(error as Error).message}\n`,
      );
      status = 1;
    }
  }
  return status;
};

const removeAll = async (cluster: Cluster, objects: readonly KubeObject[], { write }: UnixContext): Promise<number> => {
  for (const object of objects) {
    const resource = await cluster.resourceOf(object);
    const namespace = object.metadata.namespace ?? cluster.namespace;
    const key = { name: object.metadata.name ?? "", ...(resource.namespaced && { namespace }) };
    await cluster.client.delete(resource, key, { signal: cluster.signal });
    write(`${saidOf(object)} deleted\n`);
  }
  return 0;
};

/** Kinds by the words that commands name them by. */
const kinds: Readonly<Record<string, { readonly apiVersion: string; readonly kind: string }>> = {
  node: { apiVersion: "v1", kind: "Node" },
  pod: { apiVersion: "v1", kind: "Pod" },
  po: { apiVersion: "v1", kind: "Pod" },
  ns: { apiVersion: "v1", kind: "Namespace" },
  namespace: { apiVersion: "v1", kind: "Namespace" },
  secret: { apiVersion: "v1", kind: "Secret" },
  configmap: { apiVersion: "v1", kind: "ConfigMap" },
  cm: { apiVersion: "v1", kind: "ConfigMap" },
  daemonset: { apiVersion: "apps/v1", kind: "DaemonSet" },
  ds: { apiVersion: "apps/v1", kind: "DaemonSet" },
  deployment: { apiVersion: "apps/v1", kind: "Deployment" },
  deploy: { apiVersion: "apps/v1", kind: "Deployment" },
};

const get = async (
  context: UnixContext,
  cluster: Cluster,
  words: readonly string[],
  { all, output }: { readonly all: boolean; readonly output: string | undefined },
): Promise<number> => {
  if (!["json", "name", undefined].includes(output)) {
    context.streams.err(`error: the model has no kubectl get -o ${output}; it has json and name\n`);
    return 1;
  }
  const [kindWord = "", nameWord] = (words[0] ?? "").includes("/") ? (words[0] ?? "").split("/") : words;
  const known = kinds[kindWord.toLowerCase().replace(/s$/, "")] ?? kinds[kindWord.toLowerCase()];
  if (known === undefined) {
    context.streams.err(`error: the server doesn't have a resource type ${JSON.stringify(kindWord)}\n`);
    return 1;
  }
  const resource = await cluster.resourceOf(known);
  const namespaced = resource.namespaced && !all ? { namespace: cluster.namespace } : {};
  const { items } = await cluster.client.list(resource, { ...namespaced, signal: cluster.signal });
  const found = items.filter(({ metadata }) => nameWord === undefined || metadata.name === nameWord);
  if (nameWord !== undefined && found.length === 0) {
    context.streams.err(`Error from server (NotFound): ${kindWord} ${JSON.stringify(nameWord)} not found\n`);
    return 1;
  }
  if (output === "json") {
    const [only] = found;
    const shown = nameWord === undefined ? { apiVersion: "v1", kind: "List", items: found } : only;
    context.write(`${JSON.stringify(shown, undefined, 4)}\n`);
    return 0;
  }
  if (output === "name") {
    const type = `${resource.kind.toLowerCase()}${resource.group === "" ? "" : `.${resource.group}`}`;
    for (const { metadata } of found) context.write(`${type}/${metadata.name}\n`);
    return 0;
  }
  context.write(found.length === 0 ? "" : `NAME\n${found.map(({ metadata }) => `${metadata.name}\n`).join("")}`);
  if (found.length === 0) context.streams.err("No resources found\n");
  return 0;
};

/** `kubectl`, as far as bootstrap documents use it: `apply`, `create` and `delete` with `-f`, and `get`. */
export const kubectl =
  (machine: MachineContext, internet: Internet): UnixProgram =>
  async (context) => {
    const files = context.args.flatMap((word, index) =>
      ["-f", "--filename"].includes(context.args[index - 1] ?? "")
        ? [word]
        : word.startsWith("--filename=")
          ? [word.slice(11)]
          : [],
    );
    const { options, words } = readOptions(context.args, valued);
    const [verb = "", ...rest] = words;
    if (verb === "version" && (options.has("--client") || words.length === 1)) {
      context.write(`Client Version: ${machine.software.programs.get("kubectl")}\n`);
      return 0;
    }
    let connection;
    try {
      const objects = files.flatMap((from) => readManifests(from, context, internet));
      connection = await connectByKubeconfig(machine, context, options.get("--kubeconfig"));
      const client = createClient(connection);
      const { signal } = machine;
      const namespace = options.get("-n") ?? options.get("--namespace") ?? "default";
      const cluster = { client, signal, resourceOf: kindFinder(client, signal), namespace };
      if ((verb === "apply" || verb === "create" || verb === "replace") && files.length > 0) {
        return await applyAll(context, cluster, objects, verb);
      }
      if (verb === "delete" && files.length > 0) return await removeAll(cluster, objects, context);
      if (verb === "get") {
        const all = options.has("-A") || options.has("--all-namespaces");
        return await get(context, cluster, rest, { all, output: options.get("-o") ?? options.get("--output") });
      }
      context.streams.err(
        `error: the model has no kubectl ${verb}${files.length === 0 ? "" : " -f"}; it has apply, create and delete with -f, and get\n`,
      );
      return 1;
    } catch (error) {
      machine.signal.throwIfAborted();
      context.streams.err(`${(error as Error).message}\n`);
      return 1;
    } finally {
      await connection?.close();
    }
  };
