import { compareDnsVersions, dnsVersion } from "./core-dns-version.ts";
import {
  corefileText,
  parseCorefile,
  type CorefileOption,
  type CorefilePlugin,
  type CorefileServer,
  type UnreadableCorefile,
} from "./corefile.ts";
import { corefileRules, type CorefileChange, type CorefileRule } from "./corefile-rules.ts";

type Servers = readonly CorefileServer[];

const eachPlugin = (
  servers: Servers,
  name: string,
  change: (plugin: CorefilePlugin) => CorefilePlugin | undefined,
): Servers =>
  servers.map((server) => ({
    ...server,
    plugins: server.plugins.flatMap((plugin) => (plugin.name === name ? (change(plugin) ?? []) : [plugin])),
  }));

const eachOption = (
  servers: Servers,
  { plugin, option }: { readonly plugin: string; readonly option: string },
  change: (option: CorefileOption) => CorefileOption | undefined,
): Servers =>
  eachPlugin(servers, plugin, (found) => ({
    ...found,
    options: found.options.flatMap((each) => (each.name === option ? (change(each) ?? []) : [each])),
  }));

/** Options of proxy that forward does not know. */
const proxyOnly = new Set(["fail_timeout", "max_fails", "health_check", "spray"]);

const forwardOption = (option: CorefileOption): readonly CorefileOption[] => {
  if (proxyOnly.has(option.name)) return [];
  if (option.name === "protocol") return option.args.includes("force_tcp") ? [{ name: "force_tcp", args: [] }] : [];
  return option.name === "policy" && option.args[0] === "least_conn" ? [] : [option];
};

const isStub = ({ name, args }: CorefilePlugin): boolean =>
  name === "forward" && args[0] !== undefined && args[0] !== ".";

const stubServer = ({ args: [zone = "", ...to], ...plugin }: CorefilePlugin): CorefileServer => ({
  keys: [zone],
  plugins: [
    { ...plugin, args: [".", ...to] },
    { name: "loop", args: [], options: [] },
    { name: "errors", args: [], options: [] },
    { name: "cache", args: ["30"], options: [] },
  ],
});

const ownServers = (servers: Servers): Servers | UnreadableCorefile => {
  const crowded = servers.find(
    ({ keys, plugins }) => plugins.some(isStub) && !(keys.length === 1 && (keys[0] === "." || keys[0] === ".:53")),
  );
  if (crowded !== undefined) {
    return {
      problem: `the server block ${crowded.keys.join(" ")} forwards other zones, which has to be split by hand`,
    };
  }
  return [
    ...servers.map((server) => ({ ...server, plugins: server.plugins.filter((plugin) => !isStub(plugin)) })),
    ...servers.flatMap(({ plugins }) => plugins.filter(isStub).map(stubServer)),
  ];
};

const transferPlugin = (servers: Servers): Servers =>
  servers.map((server) => {
    const added: CorefilePlugin[] = [];
    const plugins = server.plugins.map((plugin) => {
      if (plugin.name !== "kubernetes") return plugin;
      const to = plugin.options.filter(({ name, args }) => name === "transfer" && args[0] === "to" && args.length > 1);
      const options = to.map(({ args }) => ({ name: "to", args: args.slice(1) }));
      if (options.length > 0) added.push({ name: "transfer", args: plugin.args.slice(0, 1), options });
      return { ...plugin, options: plugin.options.filter(({ name }) => name !== "transfer") };
    });
    return { ...server, plugins: [...plugins, ...added] };
  });

const applied = (servers: Servers, change: CorefileChange): Servers | UnreadableCorefile => {
  switch (change.kind) {
    case "addPlugin":
      return servers.map((server) => {
        const names = server.plugins.map(({ name }) => name);
        const isDue = !names.includes(change.plugin) && change.where.some((name) => names.includes(name));
        return isDue
          ? { ...server, plugins: [...server.plugins, { name: change.plugin, args: [], options: [] }] }
          : server;
      });
    case "addOption":
      return eachPlugin(servers, change.plugin, (plugin) =>
        plugin.options.some(({ name }) => name === change.option)
          ? plugin
          : { ...plugin, options: [...plugin.options, { name: change.option, args: change.args }] },
      );
    case "removeOption":
      return eachOption(servers, change, (option) =>
        change.argument === undefined || option.args[0] === change.argument ? undefined : option,
      );
    case "keepFirstArgument":
      return eachOption(servers, change, (option) => ({ ...option, args: option.args.slice(0, 1) }));
    case "forwardInsteadOfProxy":
      return eachPlugin(servers, "proxy", (plugin) => ({
        ...plugin,
        name: "forward",
        options: plugin.options.flatMap(forwardOption),
      }));
    case "ownServersForStubZones":
      return ownServers(servers);
    case "transferPlugin":
      return transferPlugin(servers);
  }
};

const versionOf = (text: string): readonly number[] => dnsVersion(text) ?? [];

/** True when the way from one release to the other passes a release that the rule is for. */
const isOnTheWay = ({ since, until }: CorefileRule, from: readonly number[], to: readonly number[]): boolean =>
  compareDnsVersions(to, versionOf(since)) >= 0 &&
  (until === undefined || compareDnsVersions(from, versionOf(until)) < 0);

/**
 * Returns the Corefile for another release of CoreDNS: the same text when nothing has to change, else written again without its comments;
 * or why it cannot be changed. `from` and `to` are versions or tags, the second is not the older one.
 */
export const migrateCorefile = (text: string, from: string, to: string): string | UnreadableCorefile => {
  const [before, after] = [versionOf(from), versionOf(to)];
  if (compareDnsVersions(before, after) === 0) return text;
  const rules = corefileRules.filter((rule) => isOnTheWay(rule, before, after));
  const given = parseCorefile(text);
  // All releases of today read the same: what only older ones would have to understand need not be read here.
  if ("problem" in given) return compareDnsVersions(before, versionOf("1.8.0")) >= 0 ? text : given;
  let servers = given;
  for (const { change } of rules) {
    const next = applied(servers, change);
    if ("problem" in next) return next;
    servers = next;
  }
  return JSON.stringify(servers) === JSON.stringify(given) ? text : corefileText(servers);
};
