import { isJsonObject, type StructuralSchema } from "@capstan/schema";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { KThreesConfig, RKE2Config } from "../src/api.ts";
import { rke2ServerConfig } from "../src/api/rke2-server-config.ts";
import { type Distribution, k3s, renderNodeDocument, rke2, type Role } from "../src/render.ts";
import { nodeInput } from "./node-input.ts";

/** A value for a field, as its schema has it. */
const valueOf = (schema: StructuralSchema, path: string): unknown => {
  if (schema.enum !== undefined) return schema.enum.find((value) => value !== "" && value !== "none");
  if (schema.type === "array") return [valueOf(schema.items ?? {}, path)];
  if (schema.type === "boolean") return true;
  if (schema.type === "integer") return 7;
  if (typeof schema.additionalProperties === "object") return { "/key": valueOf(schema.additionalProperties, path) };
  // A name of a Node counts only with an expression, so every text has one.
  return `{{ ds.${path.replaceAll(/[^a-zA-Z]/g, "")} }}`;
};

/** Fields that hold a value; references and what `skipped` names are left to tests of their own. */
const leaves = (schema: StructuralSchema, path: readonly string[] = []): readonly (readonly [string, unknown])[] =>
  schema.properties === undefined
    ? [[path.join("."), valueOf(schema, path.join("."))]]
    : "fieldPath" in schema.properties
      ? []
      : Object.entries(schema.properties).flatMap(([name, property]) => leaves(property, [...path, name]));

const nested = (path: string, value: unknown): Record<string, unknown> =>
  path.split(".").reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as Record<string, unknown>;

const schemaAt = (schema: StructuralSchema, ...path: readonly string[]): StructuralSchema =>
  path.reduce<StructuralSchema>((of, name) => of.properties?.[name] ?? {}, schema);

const render = (distribution: Distribution, role: Role, source: { agent?: object; server?: object }): string =>
  renderNodeDocument(
    distribution,
    nodeInput(role, {
      version: `v1.35.4+${distribution === rke2 ? "rke2r1" : "k3s1"}`,
      ...(role !== "init" && { server: "https://x:9345" }),
      source: { agent: {}, server: {}, ...(source as object) },
    }),
  );

/** Fields that are refused, answered with a warning, or that the control plane follows. */
const without: Readonly<Record<string, string>> = {
  "agent.format": "refused where it says ignition",
  "agent.additionalUserData.strict": "of ignition",
  "agent.additionalUserData.config": "a document of its own",
  "agent.additionalUserData.data": "sections of their own",
  "agent.ntp.enabled": "servers say it",
  "agent.nodeAnnotations": "set by the control plane",
  "agent.kubelet.extraEnv": "warned about",
  "agent.kubelet.extraMounts": "warned about",
  "agent.kubelet.overrideImage": "warned about",
  "agent.airGappedChecksum": "of air-gapped installation",
  "agent.airGappedInstallScriptPath": "of air-gapped installation",
  "server.cloudControllerManager.extraArgs": "warned about",
  "server.disableExternalCloudProvider": "deprecated, without effect in this version",
  "server.cniMultusEnable": "together with cni",
};

/** The value at which a field has an effect, where that is no usual one. */
const special: Readonly<Record<string, unknown>> = {
  "server.disableCloudController": false,
  "server.cloudProviderName": "other",
  "server.etcd.backupConfig.disableAutomaticSnapshots": false,
  "server.disableComponents.kubernetesComponents": ["scheduler"],
};

/** Fields of agents, and the one of servers that agents have too. */
const onAgents = (path: string): boolean => path.startsWith("agent.") || path === "server.cloudProviderName";

const fieldsOf = (distribution: Distribution): readonly (readonly [string, unknown])[] => {
  const { schema: config } = distribution === rke2 ? RKE2Config : KThreesConfig;
  const sections = [
    ["agent", schemaAt(config, "spec", "agentConfig")],
    ["server", distribution === rke2 ? rke2ServerConfig() : schemaAt(config, "spec", "serverConfig")],
  ] as const;
  return sections
    .flatMap(([section, schema]) => leaves(schema).map(([path, value]) => [`${section}.${path}`, value] as const))
    .filter(([path]) => without[path] === undefined)
    .map(([path, value]) => [path, special[path] ?? value] as const);
};

describe.each([rke2, k3s])("every field of $name", (distribution) => {
  it.each(fieldsOf(distribution))("%s has an effect on servers, and on agents where it is theirs", (path, value) => {
    const [section = "", ...rest] = path.split(".");
    const source = { [section]: nested(rest.join("."), value) };
    for (const role of ["init", "join", "agent"] as const) {
      const isIts = role !== "agent" || onAgents(path);
      const changes = render(distribution, role, source) !== render(distribution, role, {});
      expect(changes, role).toBe(isIts);
    }
  });

  it("makes valid YAML that says the same whatever order maps came in", () => {
    const both = (names: readonly string[]) => ({
      agent: { kubeProxy: { extraEnv: Object.fromEntries(names.map((name) => [name, name])) }, nodeLabels: ["a=b"] },
    });
    const text = render(distribution, "agent", both(["A", "B"]));
    expect(text).toBe(render(distribution, "agent", both(["B", "A"])));
    expect(isJsonObject(parse(text))).toBe(true);
  });
});

it("drops entries of maps without a name, and keeps those without a value", () => {
  const text = render(rke2, "agent", { agent: { kubeProxy: { extraEnv: { "": "x", A: "" }, extraMounts: {} } } });
  expect(text).toContain("kube-proxy-extra-env:");
  expect(text).toContain("- A=");
  expect(text).not.toContain("=x");
  expect(text).not.toContain("kube-proxy-extra-mount");
});
