import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { Shape } from "@capstan/simulation";
import { linodeRoutes } from "../src/sim/simulator.ts";

/** The OpenAPI document of the Linode API v4, YAML or JSON, of a version such as 4.189.0. */
const { LINODE_OPENAPI: file = "" } = process.env;

type Json = Readonly<Record<string, unknown>>;

interface Schema extends Json {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly readOnly?: boolean;
}

/** Groups that neither the client nor the simulator has. */
const otherGroups = /^(?:account\/betas|betas|databases|lke|longview|managed|profile|support)/;
/** Pictures are no JSON. */
const pictures = /thumbnail$/;

/** What the API took up after the document was written. */
const newer = new Set([
  "POST linode/instances: boot_size, disk_encryption, interface_generation, ipv4, kernel, maintenance_policy, network_helper",
  "PUT linode/instances/*: maintenance_policy",
  "POST linode/instances/*/rebuild: disk_encryption",
  "POST linode/instances/*/disks: disk_encryption",
  "POST networking/firewalls: devices.linode_interfaces",
  "POST nodebalancers: client_udp_sess_throttle, ipv4, type, vpcs",
  "PUT nodebalancers/*: client_udp_sess_throttle",
  "POST vpcs: ipv4, ipv6",
  "PUT vpcs/*: ipv4",
  "POST vpcs/*/subnets: ipv6",
  "POST linode/instances/*/configs/*/interfaces: ipv6",
  "PUT linode/instances/*/configs/*/interfaces/*: ipv6",
  "POST nodebalancers/*/configs: nodes, udp_check_port",
  "PUT nodebalancers/*/configs/*: udp_check_port",
  "POST nodebalancers/*/configs/*/rebuild: udp_check_port",
  "POST nodebalancers/*/configs/*/nodes: subnet_id",
  "PUT nodebalancers/*/configs/*/nodes/*: subnet_id",
  "PUT account/settings: interfaces_for_new_linodes",
]);

const read = async () => {
  const document = parse(await readFile(file, "utf8"), { maxAliasCount: -1 }) as Json;
  const at = (path: string): Json =>
    path
      .split("/")
      .slice(1)
      .reduce<Json>((value, key) => value[key] as Json, document);
  const resolve = (schema: Schema): Schema => {
    const reference = schema["$ref"];
    const plain = typeof reference === "string" ? resolve(at(reference)) : schema;
    const parts = (["allOf", "oneOf", "anyOf"] as const).flatMap(
      (key) => (plain[key] as readonly Schema[] | undefined) ?? [],
    );
    if (parts.length === 0) return plain;
    const all = [...parts.map(resolve), plain];
    return { ...plain, ...all[0], properties: Object.assign({}, ...all.map(({ properties }) => properties)) as never };
  };
  return { paths: document["paths"] as Readonly<Record<string, Json>>, at, resolve };
};

/** The fields of a body of the document. */
const fieldsOf = (schema: Schema, resolve: (schema: Schema) => Schema): ReadonlyMap<string, Schema> =>
  new Map(
    Object.entries(resolve(schema).properties ?? {}).flatMap(([name, field]) => {
      const resolved = resolve(field);
      return resolved.readOnly === true ? [] : [[name, resolved] as const];
    }),
  );

describe.skipIf(file === "")("the OpenAPI document (LINODE_OPENAPI names it)", () => {
  const families = new Map(
    linodeRoutes.map((route) => [`${route.method} ${route.path.replaceAll(/:\w+/g, "*")}`, route]),
  );

  const operations = async () => {
    const { paths, at, resolve } = await read();
    return Object.entries(paths).flatMap(([path, methods]) => {
      const below = path.replace("/{apiVersion}/", "").replaceAll(/\{\w+\}/g, "*");
      if (otherGroups.test(below) || pictures.test(below)) return [];
      return ["get", "post", "put", "delete"].flatMap((method) => {
        const operation = methods[method] as Json | undefined;
        if (operation === undefined) return [];
        const body = operation["requestBody"] as Json | undefined;
        const content =
          body === undefined ? undefined : (typeof body["$ref"] === "string" ? at(body["$ref"]) : body)["content"];
        const schema = (content as Readonly<Record<string, { readonly schema?: Schema }>> | undefined)?.[
          "application/json"
        ]?.schema;
        return [
          {
            family: `${method.toUpperCase()} ${below}`,
            fields: schema === undefined ? undefined : fieldsOf(schema, resolve),
          },
        ];
      });
    });
  };

  it("has no operation of these groups that the simulator lacks", async () => {
    const all = await operations();
    const missing = all.map(({ family }) => family).filter((family) => !families.has(family));
    expect(missing).toEqual([]);
    expect(all.length).toBeGreaterThan(200);
  });

  it("takes in each body the fields that the simulator takes, and no others", async () => {
    const unlike = (await operations()).flatMap(({ family, fields }) => {
      const shape: Shape | undefined = families.get(family)?.body;
      if (shape?.type !== "object" || fields === undefined) return [];
      const ours = Object.keys(shape.fields);
      const more = ours.filter((name) => !fields.has(name)).sort();
      const less = [...fields.keys()].filter((name) => !ours.includes(name)).sort();
      return [
        ...(more.length === 0 ? [] : [`${family}: ${more.join(", ")}`]),
        ...(less.length === 0 ? [] : [`${family} lacks ${less.join(", ")}`]),
      ];
    });
    expect(unlike.filter((each) => !newer.has(each))).toEqual([]);
  });

  it("agrees about values that a field may have", async () => {
    const unlike = (await operations()).flatMap(({ family, fields }) => {
      const shape: Shape | undefined = families.get(family)?.body;
      if (shape?.type !== "object" || fields === undefined) return [];
      return Object.entries(shape.fields).flatMap(([name, ours]) => {
        const theirs = fields.get(name)?.enum?.filter((value) => value !== null);
        if (ours.type !== "string" || theirs === undefined) return [];
        const lost = theirs.filter((value) => ours.enum?.includes(String(value)) === false);
        return lost.length === 0 ? [] : [`${family}: ${name} may be ${lost.join(", ")}`];
      });
    });
    expect(unlike).toEqual([]);
  });
});
