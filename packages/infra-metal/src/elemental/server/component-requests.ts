import { isCapstanError } from "@capstan/contract";
import { SecretResource } from "@capstan/contract/wire";
import { secretBytes, secretText } from "@capstan/kit/engine";
import type { Client } from "@capstan/kube";
import type { ElementalHost } from "../api/elemental-host.v1beta1.ts";
import type { BundleStore, KeptArchive } from "../bundle/bundle-store.ts";
import { sentDescription } from "../bundle/describe-bundle.ts";
import { isDigest } from "../bundle/digest.ts";
import { refused, type Answer } from "./answer.ts";
import type { Callers } from "./callers.ts";
import type { ApiRequest, Place } from "./request.ts";

export interface ComponentRequestsOptions {
  readonly client: Client;
  readonly callers: Callers;
  readonly bundles: BundleStore;
  readonly signal: AbortSignal;
}

type Components = NonNullable<NonNullable<ElementalHost["spec"]>["components"]>;

const range = /^bytes=(\d+)-(\d*)$/;

/** The bytes that are asked for; `undefined`: all. Throws a refusal (416). */
const rangeOf = (
  header: string | undefined,
  size: number,
): { readonly start: number; readonly end: number } | undefined => {
  const [, from, to] = range.exec(header ?? "") ?? [];
  if (from === undefined) return undefined;
  const start = Number(from);
  const end = to === undefined || to === "" ? size - 1 : Math.min(Number(to), size - 1);
  if (start > end) throw refused(416, `the archive has ${size} bytes`);
  return { start, end };
};

/** Answers the requests of agents about the component bundles of their hosts. */
export class ComponentRequests {
  readonly #options: ComponentRequestsOptions;

  constructor(options: ComponentRequestsOptions) {
    this.#options = options;
  }

  /** Returns the components that the host should have. Served bundles come with their manifests. */
  async describe(request: ApiRequest, place: Place): Promise<Answer> {
    const { bundles } = this.#options;
    const { components, host } = await this.#ordered(request, place);
    const { delivery, digest, image, kubernetesVersion = "", role, signature = {} } = components;
    const env = await this.#environment(host, components);
    const common = { image, digest, delivery, env, signature, kubernetesVersion, role };
    if (delivery === "pull") return { status: 200, body: common };
    const bundle = await fromRegistry(() => bundles.describe(image, digest));
    return { status: 200, body: { ...common, bundle: sentDescription(bundle) } };
  }

  /** An archive of a bundle that is served, or a part of it. */
  async blob(request: ApiRequest, place: Place): Promise<Answer> {
    const { bundles } = this.#options;
    const { components } = await this.#ordered(request, place);
    const { delivery, digest, image } = components;
    if (delivery === "pull") throw refused(404, "the host pulls its bundle by itself");
    const wanted = request.query.get("digest");
    if (!isDigest(wanted)) throw refused(400, "the query needs the digest of an archive");
    const archive = await fromRegistry(() => bundles.archive(image, digest, wanted));
    if (archive === undefined) throw refused(404, "the bundle of the host has no such archive");
    return sent(archive, request.headers.range);
  }

  async #ordered(request: ApiRequest, place: Place): Promise<{ host: ElementalHost; components: Components }> {
    const { callers } = this.#options;
    const host = await callers.host(request, place, await callers.registration(place));
    const components = host.spec?.components;
    if (components === undefined) throw refused(404, "the host is to have no components");
    return { host, components };
  }

  /** Variables of Secrets, later ones over earlier ones, and those of the spec over all. */
  async #environment(
    host: ElementalHost,
    { env = {}, envFrom = [] }: Components,
  ): Promise<Readonly<Record<string, string>>> {
    const { client, signal } = this.#options;
    const { namespace = "" } = host.metadata;
    const variables: Record<string, string> = {};
    for (const { secretRef } of envFrom) {
      const { name } = secretRef;
      const secret = await client.find(SecretResource, { namespace, name }, { signal });
      if (secret === undefined) {
        throw refused(424, `Secret ${namespace}/${name} of spec.components.envFrom does not exist; create it`);
      }
      Object.assign(variables, secretText(secretBytes(secret)));
    }
    return { ...variables, ...env };
  }
}

/** Turns errors of a registry into refusals (502): they are not the fault of the agent, but it receives their message. */
const fromRegistry = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (isCapstanError(error) && error.code.startsWith("elemental.")) throw refused(502, error.message);
    throw error;
  }
};

const sent = (archive: KeptArchive, header: string | undefined): Answer => {
  const { size } = archive;
  const part = rangeOf(header, size);
  const { end, start } = part ?? { start: 0, end: size - 1 };
  const headers = {
    "content-type": "application/octet-stream",
    "content-length": String(end - start + 1),
    "accept-ranges": "bytes",
    ...(part !== undefined && { "content-range": `bytes ${start}-${end}/${size}` }),
  };
  return { status: part === undefined ? 200 : 206, headers, body: archive.read(start, end) };
};
