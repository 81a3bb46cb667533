import { deepEqual } from "@capstan/schema/structural";
import type { KubeObject } from "@capstan/schema";
import type { KindBehaviour } from "./kind-behaviour.ts";
import { forbidden, immutable, invalid, required, tooLong } from "../validation/causes.ts";
import type { Causes } from "../validation/causes.ts";
import { partOf, textOf } from "../../values/object-parts.ts";

const maxDataBytes = 1_048_576;
const dataKey = /^[-._a-zA-Z0-9]+$/;

/** Causes for keys that cannot be file names. */
export const dataKeyCauses = (field: string, data: unknown): Causes =>
  Object.keys(partOf(data)).flatMap((key) =>
    key.length <= 253 && key !== "." && !key.startsWith("..") && dataKey.test(key)
      ? []
      : [
          invalid(
            `${field}[${key}]`,
            key,
            "a valid config key must consist of alphanumeric characters, '-', '_' or '.', at most 253 of them",
          ),
        ],
  );

/** Bytes that base64 text stands for. */
const decodedBytes = (text: unknown): number => Buffer.byteLength(textOf(text), "base64");

/** A cause when plain and base64 data together are too large. */
export const dataSizeCauses = (field: string, plain: unknown, binary: unknown): Causes => {
  const plainBytes = Object.values(partOf(plain)).reduce<number>(
    (sum, text) => sum + Buffer.byteLength(textOf(text)),
    0,
  );
  const binaryBytes = Object.values(partOf(binary)).reduce<number>((sum, text) => sum + decodedBytes(text), 0);
  return plainBytes + binaryBytes > maxDataBytes ? [tooLong(field, maxDataBytes)] : [];
};

/** Causes when an object with `immutable` set changes its data or loses the mark. */
export const immutableDataCauses = (object: KubeObject, old: KubeObject, fields: readonly string[]): Causes => {
  if (old["immutable"] !== true) {
    return [];
  }
  const message = "field is immutable when `immutable` is set";
  return [
    ...(object["immutable"] === true ? [] : [forbidden("immutable", message)]),
    ...fields
      .filter((field) => !deepEqual(partOf(object[field]), partOf(old[field])))
      .map((field) => forbidden(field, message)),
  ];
};

const accountAnnotation = "kubernetes.io/service-account.name";

const requiredKeys: Readonly<Record<string, readonly string[]>> = {
  "kubernetes.io/dockercfg": [".dockercfg"],
  "kubernetes.io/dockerconfigjson": [".dockerconfigjson"],
  "kubernetes.io/ssh-auth": ["ssh-privatekey"],
  "kubernetes.io/tls": ["tls.crt", "tls.key"],
};

const typeCauses = (object: KubeObject): Causes => {
  const data = partOf(object["data"]);
  const type = textOf(object["type"]);
  if (type === "kubernetes.io/service-account-token") {
    return textOf(object.metadata.annotations?.[accountAnnotation]) === ""
      ? [required(`metadata.annotations[${accountAnnotation}]`)]
      : [];
  }
  if (type === "kubernetes.io/basic-auth") {
    return data["username"] === undefined && data["password"] === undefined
      ? ["username", "password"].map((key) => required(`data[${key}]`))
      : [];
  }
  const keys = requiredKeys[type] ?? [];
  return keys.filter((key) => data[key] === undefined).map((key) => required(`data[${key}]`));
};

/** Moves `stringData`, which is write-only, into `data`. */
const applyDefaults = (object: KubeObject): KubeObject => {
  const { stringData, ...rest } = object;
  const added = Object.entries(partOf(stringData)).map(([key, text]) => [
    key,
    Buffer.from(textOf(text)).toString("base64"),
  ]);
  const type = textOf(object["type"]) === "" ? { type: "Opaque" } : {};
  if (stringData === undefined) {
    return { ...object, ...type };
  }
  return { ...rest, ...type, data: { ...partOf(object["data"]), ...Object.fromEntries(added) } };
};

const validate = (object: KubeObject): Causes => [
  ...dataKeyCauses("data", object["data"]),
  ...dataSizeCauses("data", undefined, object["data"]),
  ...typeCauses(object),
];

export const secrets: KindBehaviour = {
  applyDefaults,
  selectableFields: { type: (object) => textOf(object["type"]) },
  strategy: {
    generation: false,
    unconditionalUpdate: true,
    validate,
    validateUpdate: (object, old) => [
      ...validate(object),
      ...(object["type"] === old["type"] ? [] : [immutable("type", object["type"])]),
      ...immutableDataCauses(object, old, ["data"]),
    ],
  },
};
