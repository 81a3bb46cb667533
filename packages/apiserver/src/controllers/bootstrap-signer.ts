import { createHmac } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { partOf, textOf } from "../values/object-parts.ts";
import type { ExtensionFactory } from "../registry/extension.ts";
import type { BootstrapToken } from "./bootstrap-token.ts";
import { bootstrapToken, isExpired, secrets, systemNamespace } from "./bootstrap-token.ts";
import { controller } from "./controller.ts";
import { ExpiryTimers } from "./expiry-timers.ts";

const configMaps = { group: "", plural: "configmaps" } as const;
const clusterInfo = { namespace: "kube-public", name: "cluster-info" } as const;
const prefix = "jws-kubeconfig-";

const base64url = (text: string): string => Buffer.from(text, "utf8").toString("base64url");

/** A detached JWS (HS256) over `content`: header and signature without the payload between them. */
export const detachedSignature = (content: string, { id, secret }: Pick<BootstrapToken, "id" | "secret">): string => {
  const header = base64url(JSON.stringify({ alg: "HS256", kid: id }));
  const signature = createHmac("sha256", secret)
    .update(`${header}.${base64url(content)}`)
    .digest("base64url");
  return `${header}..${signature}`;
};

/** Signs `kube-public/cluster-info` with every bootstrap token that may sign, and drops signatures of tokens that may not. */
export const bootstrapSigner: ExtensionFactory = (environment) => {
  const { store, clock } = environment;

  const signers = (): readonly BootstrapToken[] =>
    store.peekAll(secrets, { namespace: systemNamespace }).flatMap((object) => {
      const token = object.metadata.deletionTimestamp === undefined ? bootstrapToken(object) : undefined;
      return token?.signs === true && !isExpired(token, clock.now()) ? [token] : [];
    });

  const reconcile = async (): Promise<void> => {
    const object = store.peek(configMaps, clusterInfo);
    if (object === undefined) return;
    const data = partOf(object["data"]);
    const kubeconfig = textOf(data["kubeconfig"]);
    const others = Object.fromEntries(Object.entries(data).filter(([name]) => !name.startsWith(prefix)));
    const tokens = kubeconfig === "" ? [] : signers();
    const signatures = Object.fromEntries(
      tokens.map((token) => [`${prefix}${token.id}`, detachedSignature(kubeconfig, token)]),
    );
    const signed = { ...others, ...signatures };
    if (isDeepStrictEqual(signed, { ...data })) return;
    await store.update(configMaps, { ...object, data: signed });
  };

  return controller(environment, {
    name: "bootstrap-signer",
    watch: (add) => {
      const sign = (): void => add("cluster-info");
      const timers = new ExpiryTimers(clock, sign);
      const watchTokens: Parameters<typeof store.watch>[1] = ({ type, object, previous }) => {
        const name = object.metadata.name!;
        const token = type === "DELETED" ? undefined : bootstrapToken(object);
        if (token?.expiresAt === undefined) timers.clear(name);
        else timers.set(name, token.expiresAt);
        if (bootstrapToken(object) !== undefined || (previous && bootstrapToken(previous)) !== undefined) sign();
      };
      const watchInfo: Parameters<typeof store.watch>[1] = ({ object }) => {
        if (object.metadata.name === clusterInfo.name) sign();
      };
      return [
        store.watch(secrets, watchTokens, { namespace: systemNamespace }),
        store.watch(configMaps, watchInfo, { namespace: clusterInfo.namespace }),
        () => timers.clearAll(),
      ];
    },
    reconcile,
  });
};
