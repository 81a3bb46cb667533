import type { ContractVersion } from "@capstan/contract/wire";
import type { ReconcileContext, Source } from "@capstan/runtime";
import type { KubeObject, Resource } from "@capstan/schema";
import { LateProgress } from "./late-progress.ts";
import type { SaveOptions } from "./object-changes.ts";
import { ObjectChanges } from "./object-changes.ts";
import { PrunedFields } from "./pruned-fields.ts";

export interface ObjectSaverOptions<O extends KubeObject> {
  readonly kind: Resource<O>;
  /** In whose form conditions are written. Default: `v1beta2`. */
  readonly contract?: ContractVersion;
  /** Status fields, in addition to condition messages, whose change may wait a little. Default: none. */
  readonly mayWait?: (field: string) => boolean;
  /**
   * Returns the part of an object that others act on, as text, or `undefined` if there is none. A status that leaves it as it is, or takes it
   * back, may wait a little, whatever else it changes. Default: the status of every condition, and every field that `mayWait` does not name.
   */
  readonly news?: ((object: O) => string | undefined) | undefined;
}

/**
 * Saves the objects of one controller: late, as differences, with at most one patch of metadata and spec and one of the status, and with
 * progress held back for a moment. Give `source` to the controller: what could not be written in time wakes the object.
 */
export class ObjectSaver<O extends KubeObject> {
  readonly source: Source;
  readonly #options: SaveOptions<O>;

  constructor({ kind, contract = "v1beta2", mayWait = () => false, news }: ObjectSaverOptions<O>) {
    const late = new LateProgress(kind);
    this.source = late;
    this.#options = {
      kind,
      contract,
      mayWait,
      ...(news === undefined ? {} : { news }),
      late,
      pruned: new PrunedFields(kind, contract),
    };
  }

  /** A reconcile of an object begins. */
  begin(object: O, context: ReconcileContext): ObjectChanges<O> {
    return new ObjectChanges(this.#options, object, context);
  }

  /**
   * Writes the status of an object at once, of which the controller is not the object's own and says only a part. Fails
   * with `kube.conflict` if another client wrote meanwhile. Returns the object as stored.
   */
  async saveStatus(stored: O, wanted: O, context: ReconcileContext): Promise<O> {
    const changes = this.begin(stored, context);
    changes.become(wanted);
    await changes.flush({ all: true });
    return changes.object;
  }
}
