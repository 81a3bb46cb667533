import { isJsonObject, type MutableJson, own, sameJson, setMember } from "@capstan/schema";
import { jsonText } from "@capstan/schema/structural";
import { PatchError } from "./patch-error.ts";

const maxOperations = 10_000;
const maxCopiedCharacters = 3 * 1024 * 1024;
const maxMovedItems = 60_000_000;

type Container = MutableJson | unknown[];

/** A document under change: containers are copied on the first write, so the input is never touched. */
interface Draft {
  root: unknown;
  readonly owned: WeakSet<object>;
  copiedCharacters: number;
  /** Items of lists that had to make room, or close a gap. */
  movedItems: number;
}

/**
 * Applies a JSON patch (RFC 6902) in the dialect of Kubernetes: `replace` of a missing member adds it, `test` of a missing
 * member against null passes, `add` without value stores null, negative and zero-padded indexes count.
 * All operations apply or none; the input is not changed, and the result may share parts with it.
 * Throws `PatchError`: 400 not a list of operations, 413 too many or too large, 422 an operation that fails.
 */
export const jsonPatch = (document: unknown, operations: unknown): unknown => {
  if (!Array.isArray(operations) || !operations.every(isJsonObject)) {
    throw new PatchError(400, "a JSON patch must be a list of operation objects");
  }
  if (operations.length > maxOperations) {
    throw new PatchError(
      413,
      `The allowed maximum operations in a JSON patch is ${maxOperations}, got ${operations.length}`,
    );
  }
  const draft: Draft = { root: document, owned: new WeakSet(), copiedCharacters: 0, movedItems: 0 };
  for (const operation of operations) {
    applyOperation(draft, operation);
  }
  return draft.root;
};

/** The message is generic on purpose: it is what Kubernetes answers. */
const rejected = (): PatchError =>
  new PatchError(422, "the server rejected our request due to an error in our request");

const applyOperation = (draft: Draft, operation: MutableJson): void => {
  const path = segmentsOf(own(operation, "path"));
  const value = own(operation, "value") ?? null;
  switch (own(operation, "op")) {
    case "add":
      return add(draft, path, value);
    case "replace":
      return replace(draft, path, value);
    case "remove":
      return remove(draft, path);
    case "test":
      if (!sameJson(read(draft.root, path) ?? null, value)) {
        throw rejected();
      }
      return;
    case "move": {
      const from = segmentsOf(own(operation, "from"));
      const moved = readExisting(draft.root, from);
      remove(draft, from);
      return add(draft, path, moved);
    }
    case "copy": {
      const copied = readExisting(draft.root, segmentsOf(own(operation, "from")));
      countCopy(draft, copied);
      return add(draft, path, share(draft, copied));
    }
    default:
      throw rejected();
  }
};

/** Copies of copies grow exponentially: Kubernetes bounds their sum as well. */
const countCopy = (draft: Draft, value: unknown): void => {
  draft.copiedCharacters += jsonText(value).length;
  if (draft.copiedCharacters > maxCopiedCharacters) {
    throw new PatchError(413, `The copy operations of a JSON patch may add at most ${maxCopiedCharacters} bytes`);
  }
};

/** Each operation at the front of a list moves all that is in it. */
const countMoves = (draft: Draft, items: number): void => {
  draft.movedItems += items;
  if (draft.movedItems > maxMovedItems) {
    throw new PatchError(413, "The operations of a JSON patch move the items of long lists too often");
  }
};

/** After a copy the containers inside stand at two places, so neither place may write to them directly. */
const share = (draft: Draft, value: unknown): unknown => {
  if (typeof value === "object" && value !== null && draft.owned.delete(value)) {
    for (const child of Object.values(value)) {
      share(draft, child);
    }
  }
  return value;
};

const segmentsOf = (pointer: unknown): readonly string[] => {
  if (pointer === "") {
    return [];
  }
  if (typeof pointer !== "string" || !pointer.startsWith("/")) {
    throw rejected();
  }
  return pointer
    .slice(1)
    .split("/")
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
};

const isContainer = (value: unknown): value is Container => typeof value === "object" && value !== null;

/** The index a segment names, counted from the end when negative; refuses what lies outside [0, limit). */
const indexOf = (segment: string, limit: number): number => {
  if (!/^[+-]?\d+$/.test(segment)) {
    throw rejected();
  }
  const number = Number(segment);
  const index = number < 0 ? number + limit : number;
  if (index < 0 || index >= limit) {
    throw rejected();
  }
  return index;
};

const child = (container: Container, segment: string): unknown =>
  Array.isArray(container) ? container[indexOf(segment, container.length)] : own(container, segment);

/** The value at the path; undefined when only the last member is missing. */
const read = (root: unknown, path: readonly string[]): unknown => {
  let value = root;
  for (const segment of path) {
    if (!isContainer(value)) {
      throw rejected();
    }
    value = child(value, segment);
  }
  return value;
};

const readExisting = (root: unknown, path: readonly string[]): unknown => {
  const value = read(root, path);
  if (value === undefined) {
    throw rejected();
  }
  return value;
};

const writableOf = (draft: Draft, container: Container): Container => {
  if (draft.owned.has(container)) {
    return container;
  }
  const copy = Array.isArray(container) ? [...container] : { ...container };
  draft.owned.add(copy);
  return copy;
};

/** The container that holds the last segment of the path, ready to be written to. */
const writableParent = (draft: Draft, path: readonly string[]): { container: Container; last: string } => {
  const last = path.at(-1);
  if (last === undefined || !isContainer(draft.root)) {
    throw rejected();
  }
  let container = writableOf(draft, draft.root);
  draft.root = container;
  for (const segment of path.slice(0, -1)) {
    const next = child(container, segment);
    if (!isContainer(next)) {
      throw rejected();
    }
    const writable = writableOf(draft, next);
    if (Array.isArray(container)) {
      container[indexOf(segment, container.length)] = writable;
    } else {
      setMember(container, segment, writable);
    }
    container = writable;
  }
  return { container, last };
};

const add = (draft: Draft, path: readonly string[], value: unknown): void => {
  if (path.length === 0) {
    draft.root = value;
    return;
  }
  const { container, last } = writableParent(draft, path);
  if (Array.isArray(container)) {
    const index = last === "-" ? container.length : indexOf(last, container.length + 1);
    countMoves(draft, container.length - index);
    container.splice(index, 0, value);
  } else {
    setMember(container, last, value);
  }
};

const replace = (draft: Draft, path: readonly string[], value: unknown): void => {
  if (path.length === 0) {
    draft.root = value;
    return;
  }
  const { container, last } = writableParent(draft, path);
  if (Array.isArray(container)) {
    container[indexOf(last, container.length)] = value;
  } else {
    setMember(container, last, value);
  }
};

const remove = (draft: Draft, path: readonly string[]): void => {
  const { container, last } = writableParent(draft, path);
  if (Array.isArray(container)) {
    const index = indexOf(last, container.length);
    countMoves(draft, container.length - index);
    container.splice(index, 1);
  } else if (Object.hasOwn(container, last)) {
    delete container[last];
  } else {
    throw rejected();
  }
};
