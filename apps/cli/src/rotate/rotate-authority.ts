import { CapstanError, isCapstanError, type Clock } from "@capstan/contract";
import { SecretResource } from "@capstan/contract/wire";
import type { Client } from "@capstan/kube";
import { countNoun, toBase64 } from "@capstan/kube-values";
import { rotatedSecretCertificate, type StoredCertificate } from "@capstan/runtime/webhook";
import { webhookSecretName } from "../cluster/installation.ts";
import { authoritiesOf, overtaken, storeSecret } from "../install/authority.ts";
import type { View } from "../view/view.ts";
import { readBundles, type BundlePlace } from "../webhooks/webhook-bundles.ts";

export interface RotationOptions {
  readonly installation: string;
  readonly systemNamespace: string;
  readonly clock: Clock;
  readonly view: View;
  readonly signal: AbortSignal;
}

/** API servers learn of a changed configuration by their watches. */
const heededAfterMs = 15_000;

/** Managers read their certificate every minute: this is more than twice that, for one that once could not. */
const servedAfterMs = 130_000;

/** Maximum number of conflicts with another user who changes the same object at the same moment. */
const attempts = 10;

type Rebundle = (bundle: readonly string[]) => readonly string[];

const same = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((each) => b.includes(each));

/** Writes one object's bundles; `false` when it was changed meanwhile. */
const written = async (
  client: Client,
  { kind, name, resourceVersion, bundles }: BundlePlace,
  rebundle: Rebundle,
  signal: AbortSignal,
): Promise<boolean> => {
  const changes = bundles.flatMap(({ path, authorities }) => {
    const next = rebundle(authorities);
    return same(authorities, next) ? [] : [{ op: "replace", path, value: toBase64(next.join("")) }];
  });
  if (changes.length === 0) return true;
  const version = { op: "replace", path: "/metadata/resourceVersion", value: resourceVersion };
  try {
    await client.patch(kind, { name }, { type: "json", body: [version, ...changes] }, { signal });
    return true;
  } catch (error) {
    if (isCapstanError(error, "kube.conflict")) return false;
    throw error;
  }
};

/** Changes the bundles of everything that trusts one of the authorities. Returns what they are in. */
const rebundleAll = async (
  client: Client,
  trusted: readonly string[],
  rebundle: Rebundle,
  signal: AbortSignal,
): Promise<readonly string[]> => {
  for (let attempt = 1; ; attempt++) {
    const places = (await readBundles(client, { signal }))
      .map((place) => ({
        ...place,
        bundles: place.bundles.filter(({ authorities }) => authorities.some((each) => trusted.includes(each))),
      }))
      .filter(({ bundles }) => bundles.length > 0);
    let isDone = true;
    for (const place of places) isDone = (await written(client, place, rebundle, signal)) && isDone;
    if (isDone) return places.map(({ kind, name }) => `${kind.kind} ${name}`);
    if (attempt === attempts) throw keptChanging();
  }
};

/**
 * Replaces the authority of an installation's webhooks while everything works: what trusts the old one trusts both, managers serve under
 * the new one, then nothing trusts the old one. After an interruption both are trusted. Throws `installation.no_authority` without the
 * Secret, and `installation.overtaken` when another user changes it, or what trusts it, at the same time.
 */
export const rotateAuthority = async (client: Client, options: RotationOptions): Promise<void> => {
  const { installation, systemNamespace, clock, view, signal } = options;
  const key = { namespace: systemNamespace, name: webhookSecretName(installation) };
  const read = () => client.find<StoredCertificate>(SecretResource, key, { signal });
  const stored = await read();
  if (stored === undefined) throw noAuthority(options);
  const { secret } = await rotatedSecretCertificate(stored, clock);
  const [before, after] = [authoritiesOf(stored), authoritiesOf(secret)];
  const trusting = await rebundleAll(client, before, (bundle) => [...new Set([...bundle, ...after])], signal);
  const where = countNoun(trusting.length, "configuration or definition", "configurations and definitions");
  view.say({
    type: "trusted",
    text: `${where} trust both the new and the old authority`,
    fields: { installation, trusting },
  });
  await clock.sleep(heededAfterMs, { signal });
  await storeSecret(client, secret, signal);
  view.say({
    type: "stored",
    text: `Secret ${key.namespace}/${key.name} has the new authority; managers use it within ${servedAfterMs / 1000} s`,
    fields: { installation, ...key },
  });
  await clock.sleep(servedAfterMs, { signal });
  const now = await read();
  if (now === undefined || !same(authoritiesOf(now), after)) throw overtaken(secret);
  const only = (bundle: readonly string[]) => [
    ...new Set([...bundle.filter((each) => !before.includes(each)), ...after]),
  ];
  const changed = await rebundleAll(client, before, only, signal);
  view.say({
    type: "rotated",
    text: `the old authority is no longer trusted: removed from ${changed.join(", ")}`,
    fields: { installation, changed },
  });
};

const noAuthority = ({ installation, systemNamespace }: RotationOptions): CapstanError =>
  new CapstanError({
    code: "installation.no_authority",
    reason: "NoAuthority",
    message: `Secret ${systemNamespace}/${webhookSecretName(installation)} with the webhook authority not found: name the installation with --installation and --system-namespace, or run capstan install with webhooks`,
    retry: { kind: "never" },
  });

const keptChanging = (): CapstanError =>
  new CapstanError({
    code: "installation.overtaken",
    reason: "Overtaken",
    message: "another client keeps changing the objects that trust the webhook authority; rerun the command",
  });
