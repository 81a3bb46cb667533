import { condensed, notFound, type ObjectSource, readTree, type TreeNode } from "@capstan/inspect";
import { createCache, createClient, createDiscovery, type Client, type Connection } from "@capstan/kube";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { isCapstanError } from "@capstan/contract";
import { MachineResource } from "@capstan/contract/wire";
import type { Resource } from "@capstan/schema";
import { absenceOf } from "../cluster/absence.ts";
import { orNone } from "../cluster/or-none.ts";
import { withManagement } from "../management-session.ts";
import { documentText } from "../document-output.ts";
import { isColoured, isLive } from "../terminal.ts";
import type { DescribeOptions, DescribeRequest } from "./describe-command.ts";
import { locate } from "./locate.ts";
import { renderTree, treeJson } from "./render.ts";

export interface Screen {
  write(text: string): void;
  readonly colour: boolean;
  /** A terminal, which is cleared before a tree is shown again. Default: trees follow one another. */
  readonly redraws?: boolean;
}

/** In JSON, trees that follow one another are a line each; in YAML, a document each. */
const documentOf = async (tree: TreeNode, { output, watch }: DescribeOptions): Promise<string> => {
  const document = treeJson(tree);
  if (output === "json" && watch) return `${JSON.stringify(document)}\n`;
  return `${output === "yaml" && watch ? "---\n" : ""}${await documentText(document, output)}`;
};

const shown = async (tree: TreeNode, options: DescribeOptions, colour: boolean): Promise<string> => {
  if (options.output !== "text") return documentOf(tree, options);
  // Who asks for one Machine wants to see what it is made of; of what has nothing below it there are only its conditions.
  const echo = options.echo || tree.kind === MachineResource.kind;
  const isLeaf = tree.children.length === 0 && options.showConditions.length === 0;
  const showConditions = isLeaf ? ["all"] : options.showConditions;
  return renderTree(condensed(tree, { ...options, echo }), { now: systemClock.now(), colour, showConditions });
};

const once = (connection: Connection, namespace: string, signal: AbortSignal): ObjectSource => {
  const client = createClient(connection);
  const lists = new Map<string, ReturnType<ObjectSource["list"]>>();
  return {
    list: (resource) => {
      const key = `${resource.plural}.${resource.group}`;
      const known = lists.get(key);
      const place = resource.namespaced ? { namespace } : {};
      const listed = known ?? orNone(client.list(resource, { ...place, signal }).then(({ items }) => items));
      lists.set(key, listed);
      return listed;
    },
  };
};

/** Informers of what is asked for; `changed` receives every event. */
const following = (
  connection: Connection,
  namespace: string,
  changed: () => void,
  signal: AbortSignal,
): ObjectSource => {
  const cache = createCache({ connection, random: cryptoRandom, namespaces: [namespace] });
  const known = new Set<string>();
  return {
    list: async (resource) => {
      const informer = cache.informer(resource);
      const key = `${resource.plural}.${resource.group}`;
      if (!known.has(key)) {
        known.add(key);
        informer.subscribe(changed);
        await cache.start({ signal });
      }
      return informer.list();
    },
  };
};

/** At most this often is a tree that keeps changing shown. */
const redrawMs = 200;

/** An object that is not there may be meant otherwise. */
const withHint = async (
  error: unknown,
  client: Client,
  { resource, ...sought }: { readonly resource: Resource; readonly namespace: string; readonly name: string },
  signal: AbortSignal,
): Promise<never> => {
  throw isCapstanError(error, "describe.not_found")
    ? notFound(await absenceOf(client, resource, sought, { signal }))
    : error;
};

const watchTree = async (
  connection: Connection,
  options: DescribeOptions,
  screen: Screen,
  signal: AbortSignal,
): Promise<void> => {
  const client = createClient(connection);
  const discovery = createDiscovery(client);
  const what = { ...options, resource: await locate(client, options, { signal }) };
  let change = Promise.withResolvers<void>();
  signal.addEventListener("abort", () => change.resolve(), { once: true });
  const source = following(connection, options.namespace, () => change.resolve(), signal);
  let last = "";
  while (!signal.aborted) {
    change = Promise.withResolvers<void>();
    const tree = await readTree(source, discovery, what).catch((error: unknown) => {
      // What was shown once and is gone now was deleted.
      if (last !== "" && isCapstanError(error, "describe.not_found")) return undefined;
      return withHint(error, client, what, signal);
    });
    if (tree === undefined) return screen.write(`${what.resource.kind} ${options.name} is gone\n`);
    const text = await shown(tree, options, screen.colour);
    if (text !== last) screen.write(screen.redraws === true ? `\u001B[2J\u001B[H${text}` : text);
    last = text;
    await change.promise;
    await systemClock.sleep(redrawMs, { signal }).catch(() => undefined);
  }
};

const stdout: Screen = {
  write: (text) => void process.stdout.write(text),
  get colour() {
    return isColoured();
  },
  get redraws() {
    return isLive();
  },
};

/** Shows the object, or with `watch` every change of it until the signal is aborted. */
export const showTree = async (
  connection: Connection,
  options: DescribeOptions,
  { screen, signal }: { readonly screen: Screen; readonly signal: AbortSignal },
): Promise<void> => {
  if (options.watch) return watchTree(connection, options, screen, signal);
  const client = createClient(connection);
  const what = { ...options, resource: await locate(client, options, { signal }) };
  const source = once(connection, options.namespace, signal);
  const tree = await readTree(source, createDiscovery(client), what).catch((error: unknown) =>
    withHint(error, client, what, signal),
  );
  screen.write(await shown(tree, options, screen.colour));
};

/** `capstan describe`: resolves to the exit status. */
export const runDescribe = (request: DescribeRequest): Promise<number> =>
  withManagement(
    request,
    async ({ connection, namespace, signal }) => {
      await showTree(connection, { ...request, namespace }, { screen: stdout, signal });
      return 0;
    },
    { interrupted: 0 },
  );
