import { isJsonObject, type StructuralSchema } from "@capstan/schema";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { KThreesConfig, RKE2Config } from "../src/api.ts";
import { rke2ServerConfig } from "../src/api/rke2-server-config.ts";
import { type Distribution, k3s, renderNodeDocument, rke2 } from "../src/render.ts";
import { nodeInput } from "./node-input.ts";

const page = new URL("../../../docs/rke2-k3s-settings.md", import.meta.url).pathname;

/** Where the sections of rows stand. */
const places: Readonly<Record<Distribution["name"], Readonly<Record<string, readonly [string, StructuralSchema]>>>> = {
  rke2: {
    agent: ["RKE2Config.spec.agentConfig", RKE2Config.schema.properties!["spec"]!.properties!["agentConfig"]!],
    server: ["RKE2ControlPlane.spec.serverConfig", rke2ServerConfig()],
  },
  k3s: {
    agent: ["KThreesConfig.spec.agentConfig", KThreesConfig.schema.properties!["spec"]!.properties!["agentConfig"]!],
    server: ["KThreesConfig.spec.serverConfig", KThreesConfig.schema.properties!["spec"]!.properties!["serverConfig"]!],
  },
};

const split = (from: string): readonly [section: string, path: string] => {
  const dot = from.indexOf(".");
  return [from.slice(0, dot), from.slice(dot + 1)];
};

const who = (only: "servers" | undefined): string => (only === undefined ? "" : "; servers only");

/** Networks that RKE2 has no field for are the Cluster's. */
const networks: Readonly<Record<string, string>> = {
  "server.clusterCidr": "Cluster.spec.clusterNetwork.pods.cidrBlocks",
  "server.serviceCidr": "Cluster.spec.clusterNetwork.services.cidrBlocks",
};

const settings = (distribution: Distribution): string => {
  const fieldOf = (from: string): string => {
    const network = distribution === rke2 ? networks[from] : undefined;
    if (network !== undefined) return network;
    const [section, path] = split(from);
    return `${places[distribution.name][section]?.[0]}.${path}`;
  };
  const rows = distribution.rows.map(({ from, key, only }) => `- \`${fieldOf(from)}\`: \`${key}\`${who(only)}`);
  const references = distribution.references.map(({ contents, from, object, only }) => {
    const parts = contents.map(({ data, file, key }) =>
      [
        `\`${data}\``,
        ...(key === undefined ? [] : [`key \`${key}\``]),
        ...(file === undefined ? [] : [`file \`${file}\``]),
      ].join(", "),
    );
    return `- \`${fieldOf(from)}\` (${object === "secret" ? "Secret" : "ConfigMap"}${who(only)}):\n${parts.map((part) => `  - ${part}`).join("\n")}`;
  });
  return `## ${distribution.name}\n\n${rows.toSorted().join("\n")}\n\nReferences, by the keys of their data:\n\n${references.toSorted().join("\n")}\n`;
};

it("docs/rke2-k3s-settings.md says what becomes of every field", async () => {
  const head =
    "# Settings of RKE2 and k3s\n\nWhat becomes of the fields of bootstrap configs: each is a key of `config.yaml`. This page is made from the tables that the documents are rendered by.\n\n";
  await expect(`${head}${settings(rke2)}\n${settings(k3s)}`).toMatchFileSnapshot(page);
});

const schemaAt = (schema: StructuralSchema | undefined, path: string): StructuralSchema | undefined =>
  path.split(".").reduce<StructuralSchema | undefined>((of, name) => of?.properties?.[name], schema);

describe.each([rke2, k3s])("every row of $name", (distribution) => {
  const froms = [...distribution.rows, ...distribution.references].map(({ from }) => from);

  it.each([...new Set(froms)])("%s is about a field that there is", (from) => {
    const [section, path] = split(from);
    const found = schemaAt(places[distribution.name][section]?.[1], path);
    if (distribution === rke2 && networks[from] !== undefined) expect(found).toBeUndefined();
    else expect(found).toBeDefined();
  });

  it("writes no key twice, and none of the provider's own", () => {
    const keys = [
      ...distribution.rows.map(({ key }) => key),
      ...distribution.references.flatMap(({ contents }) => contents.flatMap(({ key }) => key ?? [])),
    ];
    expect(keys).toEqual([...new Set(keys)]);
    expect(keys.filter((key) => ["agent-token", "cluster-init", "server", "token"].includes(key))).toEqual([]);
  });

  it("writes keys that are a map in YAML", () => {
    const input = nodeInput("init", { version: `v1.35.4+${distribution === rke2 ? "rke2r1" : "k3s1"}` });
    expect(isJsonObject(parse(renderNodeDocument(distribution, input)))).toBe(true);
  });
});
