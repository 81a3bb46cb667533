import type { Clock } from "@capstan/contract";
import { SecretResource } from "@capstan/contract/wire";
import { secretBytes } from "@capstan/kit/engine";
import type { Client } from "@capstan/kube";
import { isBeingDeleted } from "@capstan/kube-values";
import { apiVersionOf } from "@capstan/schema";
import { ElementalHost } from "../api/elemental-host.v1beta1.ts";
import { ElementalRegistration } from "../api/elemental-registration.v1beta1.ts";
import { needsReset } from "../host/host-facts.ts";
import { registrationKey } from "../api/names.ts";
import { isOf } from "../registration/registered-hosts.ts";
import { faultOfRegistrationToken } from "../registration/registration-token.ts";
import { refused } from "./answer.ts";
import { faultOfHostToken } from "./host-token.ts";
import { tokenIn, type ApiRequest, type Place } from "./request.ts";

export interface CallersOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The URI that a registration has where no one chose another. */
  readonly uriOf: (registration: { readonly namespace: string; readonly name: string }) => string | undefined;
}

/** A registration, as requests name it. */
export interface Registered {
  readonly registration: ElementalRegistration;
  /** URI that tokens are issued for. */
  readonly uri: string;
}

/** The same answer for a host that does not exist and for one of another registration: no one learns what there is. */
const noHost = (): Error => refused(404, "the registration has no such host");

/** Who asks, and whether they may. Everything is read live: a host that has just registered is known to every replica. */
export class Callers {
  readonly #options: CallersOptions;

  constructor(options: CallersOptions) {
    this.#options = options;
  }

  /** Throws a refusal (404) when there is none, or it has no URI yet. */
  async registration({ namespace, registration: name }: Place): Promise<Registered> {
    const { client, signal } = this.#options;
    const registration = await client.find(ElementalRegistration, { namespace, name }, { signal });
    const uri = registration?.spec?.config?.elemental?.registration?.uri ?? "";
    if (registration === undefined || uri === "") throw refused(404, "there is no such registration");
    return { registration, uri };
  }

  /**
   * The registration of a host. A host that is to be reset may still say so when its registration is gone: in a namespace that is being
   * deleted, they go at once. Throws as `registration`.
   */
  async registrationOfHost(place: Place): Promise<Registered> {
    const { client, signal, uriOf } = this.#options;
    const { host: hostName = "", namespace, registration: name } = place;
    const registration = await client.find(ElementalRegistration, { namespace, name }, { signal });
    if (registration !== undefined) return this.registration(place);
    const host = await client.find(ElementalHost, { namespace, name: hostName }, { signal });
    const uri = uriOf({ namespace, name });
    const isLeaving = host !== undefined && isOf(host, place) && (isBeingDeleted(host) || needsReset(host));
    if (!isLeaving || uri === undefined) throw refused(404, "there is no such registration");
    const { kind } = ElementalRegistration;
    return {
      registration: { apiVersion: apiVersionOf(ElementalRegistration), kind, metadata: { namespace, name } },
      uri,
    };
  }

  /** The bearer of a token of the registration. Throws a refusal: 401, 403. */
  async checkRegistering(request: ApiRequest, { registration, uri }: Registered): Promise<void> {
    const { client, clock, signal } = this.#options;
    const token = tokenIn(request, "Registration-Authorization");
    const { namespace = "", name = "" } = registration.metadata;
    const secretName = registration.spec?.privateKeyRef?.name ?? name;
    const secret = await client.find(SecretResource, { namespace, name: secretName }, { signal });
    const privateKey = secret === undefined ? undefined : secretBytes(secret)[registrationKey];
    if (privateKey === undefined) throw refused(403, "the registration has no key yet");
    const key = Buffer.from(privateKey).toString("utf8");
    const fault = await faultOfRegistrationToken(token, { privateKey: key, uri, now: clock.now() });
    if (fault !== undefined) throw refused(403, `the token of the registration is not accepted: ${fault}`);
  }

  /** The bearer of a token of a host with this key. Throws a refusal: 401, 403. */
  async checkHost(
    request: ApiRequest,
    { host, publicKey, uri }: { readonly host: string; readonly publicKey: string; readonly uri: string },
  ): Promise<void> {
    const token = tokenIn(request, "Authorization");
    const now = this.#options.clock.now();
    const fault = await faultOfHostToken(token, { host, publicKey, uri, now });
    if (fault !== undefined) throw refused(403, `the token of the host is not accepted: ${fault}`);
  }

  /** The host that asks for itself. Throws a refusal: 401, 403, 404. */
  async host(request: ApiRequest, place: Place, registered: Registered): Promise<ElementalHost> {
    const { client, signal } = this.#options;
    // Who shows no token learns nothing at all.
    tokenIn(request, "Authorization");
    const { namespace, host: name = "" } = place;
    const host = await client.find(ElementalHost, { namespace, name }, { signal });
    if (host === undefined || !isOf(host, place)) throw noHost();
    await this.checkHost(request, { host: name, publicKey: host.spec?.pubKey ?? "", uri: registered.uri });
    return host;
  }
}
