import { fromBase64 } from "@capstan/kube-values";
import { isJsonObject, type KubeObject, own } from "@capstan/schema";
import { parseJson } from "@capstan/schema/structural";
import { partOf, textOf } from "../../values/object-parts.ts";
import { type Causes, invalid, required } from "./causes.ts";
import { dataKeyCauses, dataSizeCauses } from "./data-values.ts";

const accountAnnotation = "kubernetes.io/service-account.name";

const requiredKeys: Readonly<Record<string, readonly string[]>> = {
  "kubernetes.io/dockercfg": [".dockercfg"],
  "kubernetes.io/dockerconfigjson": [".dockerconfigjson"],
  "kubernetes.io/tls": ["tls.crt", "tls.key"],
};

/** Keys of which a kubelet reads JSON, by type. */
const jsonKeys: Readonly<Record<string, string>> = {
  "kubernetes.io/dockercfg": ".dockercfg",
  "kubernetes.io/dockerconfigjson": ".dockerconfigjson",
};

/** A kube-apiserver takes `null` for an empty object. */
const isJsonObjectText = (text: string): boolean => {
  try {
    const value = parseJson(text);
    return value === null || isJsonObject(value);
  } catch {
    return false;
  }
};

/** A cause when the registry credentials are no JSON object. Neither they nor what a parser says of them are repeated. */
const jsonCauses = (type: string, data: Readonly<Record<string, unknown>>): Causes => {
  const key = own(jsonKeys, type);
  if (key === undefined || data[key] === undefined || isJsonObjectText(fromBase64(textOf(data[key])))) return [];
  return [invalid(`data[${key}]`, "<secret contents redacted>", "must be a JSON object")];
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
  if (type === "kubernetes.io/ssh-auth") {
    return textOf(data["ssh-privatekey"]) === "" ? [required("data[ssh-privatekey]")] : [];
  }
  const keys = own(requiredKeys, type) ?? [];
  return [
    ...keys.filter((key) => data[key] === undefined).map((key) => required(`data[${key}]`)),
    ...jsonCauses(type, data),
  ];
};

export const secretCauses = (object: KubeObject): Causes => [
  ...dataKeyCauses("data", object["data"]),
  ...dataSizeCauses("data", undefined, object["data"]),
  ...typeCauses(object),
];
