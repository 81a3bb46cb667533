type JsonObject = Readonly<Record<string, unknown>>;

const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The minimum that a field of a response must have. */
type Part = "id" | "name" | "number" | "object";

type Shape = Readonly<Record<string, Part>>;

const is: Readonly<Record<Part, (value: unknown) => boolean>> = {
  id: (value) => Number.isSafeInteger(value) && (value as number) > 0,
  name: (value) => typeof value === "string" && value !== "",
  number: (value) => typeof value === "number",
  object: isJsonObject,
};

const numbered: Shape = { id: "id" };
const named: Shape = { label: "name" };

/** The least that things must have that are acted upon, by the path of their collection. Of all others it is enough to be objects. */
const shapes: Readonly<Record<string, Shape>> = {
  domains: numbered,
  "domains/{}/records": numbered,
  "linode/instances": numbered,
  "linode/instances/{}/configs": numbered,
  "linode/instances/{}/disks": numbered,
  "linode/instances/{}/firewalls": numbered,
  "linode/instances/{}/interfaces/{}/firewalls": numbered,
  "linode/stackscripts": numbered,
  "linode/types": { disk: "number" },
  "networking/firewalls": numbered,
  "networking/firewalls/{}/devices": numbered,
  nodebalancers: numbered,
  "nodebalancers/{}/configs": numbered,
  "nodebalancers/{}/configs/{}/nodes": numbered,
  "object-storage/buckets": named,
  "object-storage/keys": numbered,
  "placement/groups": numbered,
  vpcs: numbered,
  "vpcs/{}/subnets": numbered,
};

/** The same of what is read as a whole, by its own path. */
const wholes: Readonly<Record<string, Shape>> = { "GET linode/instances/{}/ips": { ipv4: "object" } };

const fits = (value: unknown, shape: Shape = {}): boolean =>
  isJsonObject(value) && Object.entries(shape).every(([field, part]) => is[part](value[field]));

export interface ShapedCall {
  readonly method: string;
  readonly path: { readonly family: string };
  readonly query?: Readonly<Record<string, string | number | boolean>>;
}

/**
 * Why an answer cannot be what the API says to a call, or `undefined`. Programs in between, and broken vendors, answer JSON as well: what is
 * acted upon must not be made of it.
 */
export const misfit = ({ method, path: { family }, query }: ShapedCall, answer: unknown): string | undefined => {
  if (method === "DELETE") return undefined;
  if (query?.["page"] !== undefined) {
    if (!isJsonObject(answer) || !Array.isArray(answer["data"]) || typeof answer["pages"] !== "number") {
      return "the answer is no page of a list";
    }
    const strange = answer["data"].some((item) => !fits(item, shapes[family]));
    return strange ? "the answer lists something that cannot be understood" : undefined;
  }
  // A change to a collection as a whole is answered with a page.
  const shape =
    method === "PUT" && !family.endsWith("{}")
      ? {}
      : (wholes[`${method} ${family}`] ?? shapes[family.replace(/\/\{\}$/, "")]);
  if (Array.isArray(answer) && shape === undefined) {
    return answer.every(isJsonObject) ? undefined : "the answer lists something that cannot be understood";
  }
  return fits(answer, shape) ? undefined : "the answer cannot be understood";
};
