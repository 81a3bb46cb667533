import { Heap } from "./heap.ts";

/** An entry that may run now. */
export interface ReadyItem {
  readonly request: { readonly namespace?: string };
  /** Position among items of the same priority. */
  readonly order: number;
  readonly priority: number;
  /** Not `ready`: it is skipped when it surfaces. */
  readonly place: string;
}

const byTurn = (a: ReadyItem, b: ReadyItem): number => b.priority - a.priority || a.order - b.order;

/** Items in order of priority, then of arrival, by namespace: the first of some of the namespaces is as quickly found as that of all. */
export class ReadyItems<T extends ReadyItem> {
  readonly #byNamespace = new Map<string, Heap<T>>();
  #held = 0;

  /** Entries, with those that are skipped. */
  get held(): number {
    return this.#held;
  }

  push(item: T): void {
    const namespace = item.request.namespace ?? "";
    const heap = this.#byNamespace.get(namespace) ?? new Heap<T>(byTurn);
    this.#byNamespace.set(namespace, heap);
    heap.push(item);
    this.#held += 1;
  }

  /** The first of the namespaces that may have their turn; `undefined` when none has any. */
  pop(mayRun: (namespace: string) => boolean = () => true): T | undefined {
    let first: { readonly heap: Heap<T>; readonly item: T } | undefined;
    for (const [namespace, heap] of this.#byNamespace) {
      const item = this.#head(heap);
      if (item === undefined) this.#byNamespace.delete(namespace);
      else if (mayRun(namespace) && (first === undefined || byTurn(item, first.item) < 0)) first = { heap, item };
    }
    if (first === undefined) return undefined;
    first.heap.pop();
    this.#held -= 1;
    return first.item;
  }

  /** Drops entries that would be skipped. */
  tidy(): void {
    this.#held = 0;
    for (const [namespace, heap] of this.#byNamespace) {
      heap.retain(isReady);
      this.#held += heap.size;
      if (heap.size === 0) this.#byNamespace.delete(namespace);
    }
  }

  #head(heap: Heap<T>): T | undefined {
    for (let item = heap.peek(); item !== undefined; item = heap.peek()) {
      if (isReady(item)) return item;
      heap.pop();
      this.#held -= 1;
    }
    return undefined;
  }
}

const isReady = ({ place }: ReadyItem): boolean => place === "ready";
