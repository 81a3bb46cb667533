import { conditionOf } from "@capstan/contract/wire";
import type { MergePatch } from "@capstan/contract/wire";
import { apiVersionOf } from "@capstan/schema";
import type { ConformanceEnvironment } from "@capstan/testing/environment";
import { SceneManagers } from "@capstan/testing/environment";
import { SlowCloud } from "./slow-cloud.ts";
import { createVolumeProvider, Volume } from "./volume.ts";

/** One volume in a namespace and a cloud of its own. */
export class VolumeScene {
  readonly cloud: SlowCloud;
  readonly key: { readonly namespace: string; readonly name: string };
  readonly managers: SceneManagers;
  readonly #environment: ConformanceEnvironment;

  constructor(environment: ConformanceEnvironment, namespace: string, options: { readonly takesMs?: number } = {}) {
    const cloud = new SlowCloud(environment.clock, options);
    this.#environment = environment;
    this.cloud = cloud;
    this.key = { namespace, name: "v" };
    const onCall = (hook: (call: string, phase: "before" | "after") => void): void => {
      cloud.onCall = hook;
    };
    this.managers = new SceneManagers(environment, { provider: () => createVolumeProvider(cloud), onCall }, namespace);
  }

  create(): Promise<Volume> {
    const volume = { apiVersion: apiVersionOf(Volume), kind: Volume.kind, metadata: this.key, spec: { size: 1 } };
    return this.#environment.client.create(Volume, volume);
  }

  find(): Promise<Volume | undefined> {
    return this.#environment.client.find(Volume, this.key);
  }

  async remove(): Promise<void> {
    if ((await this.find()) !== undefined) await this.#environment.client.delete(Volume, this.key);
  }

  get(): Promise<Volume> {
    return this.#environment.client.get(Volume, this.key);
  }

  until(test: (volume: Volume | undefined) => boolean): Promise<Volume | undefined> {
    return this.#environment.eventually(Volume, this.key, test);
  }

  /** Waits for the condition `Ready` of a reason. */
  async says(reason: string): Promise<string> {
    const volume = await this.until(
      (object) => object !== undefined && conditionOf(object, "Ready")?.reason === reason,
    );
    return (volume === undefined ? undefined : conditionOf(volume, "Ready"))?.message ?? "";
  }

  patch(body: MergePatch): Promise<Volume> {
    return this.#environment.client.patch(Volume, this.key, { type: "merge", body });
  }
}
