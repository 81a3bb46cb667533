import { X509Certificate } from "node:crypto";
import type { AnyObject } from "../world.ts";
import { documentMeaning } from "./document-facts.ts";
import { normalizer } from "./facts-of-play.ts";
import { flatten, type Put } from "./flatten.ts";
import type { Play } from "./play.ts";
import { KubeadmConfig } from "../objects.ts";
import { ConfigMap, Secret } from "./stage.ts";
import type { Facts } from "./requests.ts";

const decoded = (base64: string): string => Buffer.from(base64, "base64").toString();

const dayMs = 86_400_000;

/** What can be said of certificates and keys that are made at random. */
const pemFacts = (pem: string): object => {
  if (!pem.includes("BEGIN CERTIFICATE")) return { pem };
  try {
    const { subject, issuer, ca, publicKey, serialNumber, validFromDate, validToDate } = new X509Certificate(pem);
    const days = Math.round((validToDate.getTime() - validFromDate.getTime()) / dayMs);
    const key = { type: publicKey.asymmetricKeyType, ...publicKey.asymmetricKeyDetails };
    return { subject, issuer, ca, days, serialNumber, key: JSON.stringify(key, (_, each) => String(each)) };
  } catch {
    return { unreadable: true };
  }
};

const dataFacts = ({ data = {} }: AnyObject): object => {
  const { value, format, ...others } = data as Record<string, string>;
  const isDocument = value !== undefined && format !== undefined;
  return {
    keys: Object.keys(data).toSorted().join(" "),
    ...(isDocument && { format: decoded(format), document: documentMeaning(decoded(format), decoded(value)) }),
    ...Object.fromEntries(Object.entries(others).map(([key, each]) => [key, pemFacts(decoded(each))])),
  };
};

/** The token of a config in its workload cluster. */
const tokenFacts = (play: Play, config: AnyObject): object => {
  const token: string | undefined = config.spec?.joinConfiguration?.discovery?.bootstrapToken?.token;
  if (token === undefined) return {};
  const name = `bootstrap-token-${token.split(".", 1)[0]}`;
  const secret = play.stage.nodes.get<AnyObject>(Secret, { namespace: "kube-system", name });
  if (secret === undefined) return { token: "is not there" };
  const { description: _, expiration = "", ...data } = secret.data as Record<string, string>;
  const said = Object.entries(data).map(([key, each]) => [key, key.startsWith("token-") ? true : decoded(each)]);
  const livesFor = Date.parse(decoded(expiration)) - Date.now();
  return { token: { type: secret.type, ...Object.fromEntries(said), isAlive: livesFor > 0 && livesFor <= 900_000 } };
};

/** What is in the Secrets and the lock of a play, and the tokens of its configs in the workload cluster. */
export const bootstrapFactsOfPlay = (play: Play, title: string): Facts => {
  const text = normalizer(play);
  const facts = new Map<string, unknown>();
  const putting =
    (kind: string, name: string): Put =>
    (path, value) => {
      const place = `${title} | ${kind} ${text(name)} | ${path}`;
      if (value !== undefined) facts.set(place, typeof value === "string" ? text(value) : value);
    };
  for (const secret of play.objects(Secret)) {
    flatten(dataFacts(secret), "data", putting("Secret", secret.metadata.name));
  }
  for (const { data = {}, metadata } of play.objects(ConfigMap)) {
    flatten(data, "data", putting("ConfigMap", metadata.name));
  }
  for (const config of play.objects(KubeadmConfig)) {
    flatten(tokenFacts(play, config), "workload", putting("KubeadmConfig", config.metadata.name));
  }
  return facts;
};
