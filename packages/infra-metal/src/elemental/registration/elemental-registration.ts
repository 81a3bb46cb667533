import type { ControllerV1 } from "@capstan/contract/v1";
import { describeObject, SecretResource } from "@capstan/contract/wire";
import { managedObject, observations, ownedSecrets } from "@capstan/kit/engine";
import type { ObjectContext, Observation, Using } from "@capstan/kit/engine";
import { permission, watched } from "@capstan/kit";
import { isBeingDeleted } from "@capstan/kube-values";
import { ElementalReason } from "../api/elemental-conditions.ts";
import type { BootMediaStore } from "./boot-media.ts";
import { ElementalHost } from "../api/elemental-host.v1beta1.ts";
import { ElementalRegistration } from "../api/elemental-registration.v1beta1.ts";
import { registrationKey } from "../api/names.ts";
import { elementalError } from "../errors.ts";
import type { ElementalOptions } from "../options.ts";
import {
  expired,
  faultOfRegistrationToken,
  leftOf,
  lifeOf,
  newPrivateKey,
  publicKeyOf,
  signRegistrationToken,
} from "./registration-token.ts";
import { hostsAccepted, registrationOfHost } from "./registered-hosts.ts";
import { registrationUri } from "./registration-uri.ts";

const { absent, failed, pending, present } = observations();
/** Interval of the checks that a published configuration still exists. */
const mediaPollMs = 300_000;
/** However long a token is valid. */
const longestWaitMs = 3_600_000;
const defaultTokenDurationMs = 168 * 3_600_000;
const nanosecondsPerMs = 1_000_000;

const uses = { secrets: ownedSecrets() };
type Context = ObjectContext<ElementalRegistration> & Using<typeof uses>;

export interface RegistrationOptions extends Pick<
  ElementalOptions,
  "endpoint" | "hostLimit" | "protocol" | "tokenDurationMs"
> {
  /** Default: configurations of agents are put nowhere. */
  readonly media?: BootMediaStore;
  /** PEM of the API's authority; `undefined`: hosts have to trust it by themselves. */
  readonly authority: (environment: Context["environment"]) => Promise<string | undefined>;
}

const settingsOf = ({ spec }: ElementalRegistration) => spec?.config?.elemental?.registration ?? {};

/** The key that signs the registration's tokens; `undefined` while there is none. */
const keyOf = async ({ object, readSecret, uses: { secrets } }: Context): Promise<string | undefined> => {
  const { name } = object.spec?.privateKeyRef ?? {};
  if (name === undefined) {
    const own = (await secrets.read(object.metadata.name ?? ""))?.[registrationKey];
    return own === undefined ? undefined : Buffer.from(own).toString("utf8");
  }
  // Of the registration's own namespace, whatever the reference says.
  const secret = await readSecret({ name });
  return secret?.optional(registrationKey)?.reveal();
};

const keyMissing = (object: ElementalRegistration): Observation => {
  const { name } = object.spec?.privateKeyRef ?? {};
  const message = `Secret ${name} of spec.privateKeyRef has no key ${registrationKey}; add a PKCS#8 PEM of an Ed25519 key, or take the reference away`;
  return failed({ reason: ElementalReason.keyMissing, message });
};

/** When a token that was signed for the provider's time, not for the user's, is to be signed again: when half of its life is over. */
const untilRenewal = (object: ElementalRegistration, token: string, now: number): number | undefined => {
  if (settingsOf(object).tokenDuration !== undefined) return undefined;
  const [left, life] = [leftOf(token, now), lifeOf(token)];
  return left === undefined || life === undefined ? undefined : Math.max(0, left - life / 2);
};

/** That a token has expired is said when it has. */
const nextLook = (object: ElementalRegistration, token: string, now: number): { readonly pollMs?: number } => {
  const wait = untilRenewal(object, token, now) ?? leftOf(token, now);
  return wait === undefined ? {} : { pollMs: Math.min(wait + 1000, longestWaitMs) };
};

/** Observes a registration whose key exists. */
const observeWithKey = async (
  { call, clock, object }: Context,
  {
    media,
    privateKey,
    uri,
  }: { readonly media: BootMediaStore | undefined; readonly privateKey: string; readonly uri: string },
): Promise<Observation> => {
  const { metadata, spec } = object;
  const settings = settingsOf(object);
  const isFilledIn = spec?.privateKeyRef !== undefined && (settings.uri ?? "") !== "";
  if (!isFilledIn) return pending({ reason: ElementalReason.settingsMissing, step: "fill in" });
  if ((settings.token ?? "") === "") return pending({ reason: ElementalReason.tokenBeingSigned, step: "sign" });
  const fault = await faultOfRegistrationToken(settings.token ?? "", {
    privateKey,
    uri: settings.uri ?? uri,
    now: clock.now(),
  });
  const isSigned = fault === undefined || fault === expired;
  if (isSigned && untilRenewal(object, settings.token ?? "", clock.now()) === 0) return present({ step: "sign" });
  if (fault === undefined) {
    const isPut = (await media?.holds(object, call.signal)) ?? true;
    return isPut ? present(nextLook(object, settings.token ?? "", clock.now())) : present({ step: "publish" });
  }
  const field = "spec.config.elemental.registration.token";
  const mend = `take ${field} away to have a new one, and give it to the hosts that are yet to register`;
  const reason = fault === expired ? ElementalReason.tokenExpired : ElementalReason.tokenInvalid;
  return failed({ reason, message: `${field} of ${metadata.name} is not accepted: ${fault}; ${mend}` });
};

const observe = async (context: Context, options: RegistrationOptions): Promise<Observation> => {
  const { object } = context;
  if (isBeingDeleted(object)) return absent();
  const { name = "", namespace = "" } = object.metadata;
  const uri = registrationUri({ namespace, name }, options);
  if (uri === undefined) {
    const message =
      "the Elemental API is not served; start the manager with ELEMENTAL_API_ENDPOINT, the host and port by which hosts reach it";
    return failed({ reason: ElementalReason.endpointMissing, message });
  }
  const privateKey = await keyOf(context);
  if (privateKey === undefined) {
    return object.spec?.privateKeyRef === undefined
      ? pending({ reason: ElementalReason.keyBeingMade, step: "make key" })
      : keyMissing(object);
  }
  checkKey(object, privateKey);
  return observeWithKey(context, { media: options.media, privateKey, uri });
};

/** Throws `elemental.registration_key_invalid`. */
const checkKey = (object: ElementalRegistration, privateKey: string): void => {
  try {
    publicKeyOf(privateKey);
  } catch (cause) {
    throw elementalError({
      code: "elemental.registration_key_invalid",
      reason: ElementalReason.keyMissing,
      message: `${describeObject(object)}: the key ${registrationKey} of the Secret of spec.privateKeyRef is no PEM of a private key; correct it`,
      cause,
    });
  }
};

/** Puts something among the settings of a registration, and leaves what a user has set. */
const setInSpec = async ({ changes }: Context, settings: object, more: object = {}): Promise<void> => {
  await changes.writeNow({ spec: { ...more, config: { elemental: { registration: settings } } } });
};

/** Registrations: their key, where hosts register, whom they trust there, and the token that they show. */
export const elementalRegistration = (options: RegistrationOptions): ControllerV1 =>
  managedObject({
    kind: ElementalRegistration,
    noun: "the registration",
    uses,
    permissions: { own: [permission(ElementalRegistration, ["patch"]), watched(ElementalHost)] },
    sources: [registrationOfHost],
    setup: (cache) => void cache.informer(ElementalHost),
    observe: async (context) => {
      const { environment, object } = context;
      const observation = await observe(context, options);
      const { hostLimit } = options;
      return { ...observation, conditions: hostsAccepted(object, { cache: environment.cache, hostLimit }) };
    },
    steps: {
      "make key": async ({ object, uses: { secrets } }) => {
        await secrets.write(object.metadata.name ?? "", { [registrationKey]: newPrivateKey() });
      },
      "fill in": async (context) => {
        const { object, environment } = context;
        const { name = "", namespace = "" } = object.metadata;
        const { caCert = "", uri = "" } = settingsOf(object);
        const authority = caCert === "" ? await options.authority(environment) : undefined;
        await setInSpec(
          context,
          {
            ...(uri === "" && { uri: registrationUri({ namespace, name }, options) }),
            ...(authority !== undefined && { caCert: authority }),
          },
          object.spec?.privateKeyRef === undefined
            ? { privateKeyRef: { apiVersion: SecretResource.version, kind: SecretResource.kind, namespace, name } }
            : {},
        );
      },
      publish: async ({ call, object }) => options.media?.put(object, call.signal),
      sign: async (context) => {
        const { clock, object } = context;
        const { tokenDurationMs = defaultTokenDurationMs } = options;
        const { tokenDuration: duration = tokenDurationMs * nanosecondsPerMs, uri = "" } = settingsOf(object);
        const privateKey = (await keyOf(context)) ?? "";
        const token = await signRegistrationToken({ privateKey, uri, now: clock.now(), duration });
        await setInSpec(context, { token });
      },
    },
    // What was put somewhere may be lost there.
    pace: { pendingMs: undefined, driftMs: options.media === undefined ? undefined : mediaPollMs },
  });
