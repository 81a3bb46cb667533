import { expect, it } from "vitest";
import { parse } from "yaml";
import { mergeKubeconfig } from "./merge-kubeconfig.ts";

const config = (name: string, server: string) =>
  JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name, cluster: { server } }],
    users: [{ name: `${name}-admin`, user: { token: server } }],
    contexts: [{ name: `${name}-admin@${name}`, context: { cluster: name, user: `${name}-admin`, namespace: "x" } }],
    "current-context": `${name}-admin@${name}`,
  });

const merge = (present: string, added: string, prefix = "") =>
  mergeKubeconfig(present, added, { prefix, said: "config" });

it("keeps what is there, and makes the new context current", () => {
  const first = merge("preferences: {colors: true}\n", config("mine", "https://a"));
  const { text, context } = merge(first.text, config("orchid", "https://b"));
  expect(context).toBe("orchid-admin@orchid");
  expect(parse(text)).toMatchObject({
    preferences: { colors: true },
    clusters: [{ name: "mine" }, { name: "orchid", cluster: { server: "https://b" } }],
    users: [{ name: "mine-admin" }, { name: "orchid-admin" }],
    contexts: [{ name: "mine-admin@mine" }, { name: "orchid-admin@orchid" }],
    "current-context": "orchid-admin@orchid",
  });
});

it("replaces what has its names", () => {
  const { text } = merge(merge("", config("orchid", "https://old")).text, config("orchid", "https://new"));
  expect(parse(text)).toEqual(JSON.parse(config("orchid", "https://new")));
});

it("puts the namespace before the names, so that two clusters of one name have each their own", () => {
  const { text, context } = merge(config("orchid", "https://a"), config("orchid", "https://b"), "team.");
  expect(context).toBe("team.orchid-admin@orchid");
  expect(parse(text)).toMatchObject({
    clusters: [{ name: "orchid" }, { name: "team.orchid" }],
    contexts: [{}, { context: { cluster: "team.orchid", user: "team.orchid-admin", namespace: "x" } }],
  });
});

it.each(["- a", "text", "a: [", "a: b: c"])("refuses what is not a kubeconfig: %s", (present) => {
  expect(() => merge(present, config("orchid", "https://a"))).toThrow(/^config is not (?:valid YAML|a kubeconfig)/);
});

it.each(["exec", "auth-provider"])("refuses one with a credential plugin in %s", (field) => {
  const added = JSON.parse(config("orchid", "https://b")) as { users: { user: object }[] };
  Object.assign(added.users[0] ?? {}, { user: { [field]: { command: "sh" } } });
  expect(() => merge("", JSON.stringify(added))).toThrow(/runs a credential plugin/);
});
