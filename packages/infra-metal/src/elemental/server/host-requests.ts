import type { Clock } from "@capstan/contract";
import { isCapstanError } from "@capstan/contract";
import type { MergePatch } from "@capstan/contract/wire";
import { bootstrapSecretKeys, mergePatches, SecretResource } from "@capstan/contract/wire";
import { secretBytes } from "@capstan/kit/engine";
import type { Client } from "@capstan/kube";
import { isBeingDeleted, keyOf, keyText } from "@capstan/kube-values";
import { ElementalHost } from "../api/elemental-host.v1beta1.ts";
import { isOf } from "../registration/registered-hosts.ts";
import { registrationPath } from "../registration/registration-uri.ts";
import { refused, type Answer } from "./answer.ts";
import type { Callers, Registered } from "./callers.ts";
import { metadataChanges, newHostObject, statusChanges } from "./host-changes.ts";
import { readNewHost, readReport, type HostReport } from "./host-report.ts";
import { hostState } from "./host-state.ts";
import { RegistrationLimits } from "./registration-limits.ts";
import type { ApiRequest, Place } from "./request.ts";

/** Maximum number of attempts to write a report to a host that other users change concurrently. */
const attempts = 5;

export interface HostRequestsOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly callers: Callers;
  readonly signal: AbortSignal;
  /** Maximum number of hosts of a registration without a limit of its own; 0: any number. */
  readonly hostLimit: number;
}

/** Answers the requests of agents about registrations and hosts. */
export class HostRequests {
  readonly #options: HostRequestsOptions;
  readonly #limits: RegistrationLimits;

  constructor(options: HostRequestsOptions) {
    this.#options = options;
    this.#limits = new RegistrationLimits(options.clock);
  }

  /** Returns the settings of the registration for its hosts. */
  async registration(request: ApiRequest, place: Place): Promise<Answer> {
    const registered = await this.#registered(place);
    await this.#options.callers.checkRegistering(request, registered);
    const { config, hostAnnotations = {}, hostLabels = {} } = registered.registration.spec ?? {};
    return { status: 200, body: { hostLabels, hostAnnotations, config } };
  }

  /** A new host. */
  async register(request: ApiRequest, place: Place): Promise<Answer> {
    const { callers, client, hostLimit, signal } = this.#options;
    const registered = await this.#registered(place);
    await callers.checkRegistering(request, registered);
    if (isBeingDeleted(registered.registration)) throw refused(403, "the registration is being deleted");
    const host = readNewHost(await request.json(), registered.registration.spec ?? {});
    await callers.checkHost(request, { host: host.name, publicKey: host.publicKey, uri: registered.uri });
    const limit = registered.registration.spec?.hostLimit ?? hostLimit;
    const count = async (): Promise<number> => {
      const { items } = await client.list(ElementalHost, { namespace: place.namespace, signal });
      return items.filter((each) => isOf(each, place)).length;
    };
    const create = async (): Promise<void> => {
      const made = await client.create(ElementalHost, newHostObject(host, place), { signal });
      if (limit === 0 || (await count()) <= limit) return;
      // Another replica was faster: whoever finds too many takes its own away, of which no agent knows yet.
      await client.delete(ElementalHost, keyOf(made), { signal });
      const body = { metadata: { finalizers: null } };
      await client.patch(ElementalHost, keyOf(made), { type: "merge", body }, { signal });
      throw refused(429, "other hosts register by the registration at the same moment; retry in a few seconds");
    };
    try {
      await this.#limits.admit(keyText(keyOf(registered.registration)), { limit, count }, create);
    } catch (error) {
      if (isCapstanError(error, "kube.already_exists")) throw refused(409, `there is a host ${host.name} already`);
      throw error;
    }
    const location = `${registrationPath(place.namespace, place.registration)}/hosts/${host.name}`;
    return { status: 201, headers: { location } };
  }

  /** Stores the report of a host. The answer tells the host what to do next. */
  async report(request: ApiRequest, place: Place): Promise<Answer> {
    const { callers } = this.#options;
    const registered = await callers.registrationOfHost(place);
    const host = await callers.host(request, place, registered);
    const report = readReport(await request.json(), registered.registration.spec ?? {});
    if (report.bootstrapped === true && host.spec?.bootstrapSecret?.name === undefined) {
      throw refused(400, "bootstrapped: there is nothing yet that the host could be bootstrapped with");
    }
    return { status: 200, body: hostState(await this.#write(host, report)) };
  }

  /** Takes a host away, once it has been reset. */
  async remove(request: ApiRequest, place: Place): Promise<Answer> {
    const { callers, client, signal } = this.#options;
    const host = await callers.host(request, place, await callers.registrationOfHost(place));
    await client.delete(ElementalHost, keyOf(host), { signal });
    return { status: 202 };
  }

  /** Returns the bootstrap data of a host and its format. */
  async bootstrap(request: ApiRequest, place: Place): Promise<Answer> {
    const { callers, client, signal } = this.#options;
    const host = await callers.host(request, place, await this.#registered(place));
    const name = host.spec?.bootstrapSecret?.name;
    if (name === undefined) throw refused(404, "there is nothing yet that the host could be bootstrapped with");
    const secret = await client.find(SecretResource, { ...keyOf(host), name }, { signal });
    const data = secret === undefined ? {} : secretBytes(secret);
    const value = data[bootstrapSecretKeys.value];
    if (value === undefined) throw refused(404, `Secret ${name} has no bootstrap data`);
    const format = Buffer.from(data[bootstrapSecretKeys.format] ?? []).toString("utf8") || "cloud-config";
    return { status: 200, body: { format, config: Buffer.from(value).toString("utf8") } };
  }

  #registered(place: Place): Promise<Registered> {
    return this.#options.callers.registration(place);
  }

  /** Puts a report on the host; what another user changes meanwhile stays. */
  async #write(host: ElementalHost, report: HostReport): Promise<ElementalHost> {
    const { client, signal } = this.#options;
    let present = host;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#writeOn(present, report);
      } catch (error) {
        if (!isCapstanError(error, "kube.conflict") || attempt === attempts) throw error;
        present = await client.get(ElementalHost, keyOf(host), { signal });
      }
    }
  }

  /** The status first: the labels may let the host go. */
  async #writeOn(host: ElementalHost, report: HostReport): Promise<ElementalHost> {
    const { clock } = this.#options;
    const status = statusChanges(host, report, clock.now());
    const reported = status === undefined ? host : await this.#patch(host, status, "status");
    const metadata = metadataChanges(reported, report);
    return metadata === undefined ? reported : this.#patch(reported, metadata);
  }

  #patch(host: ElementalHost, patch: MergePatch, subresource?: "status"): Promise<ElementalHost> {
    const { client, signal } = this.#options;
    const { resourceVersion } = host.metadata;
    const body = mergePatches(patch, { metadata: { resourceVersion } });
    const call = subresource === undefined ? { signal } : { signal, subresource };
    return client.patch<ElementalHost>(ElementalHost, keyOf(host), { type: "merge", body }, call);
  }
}
