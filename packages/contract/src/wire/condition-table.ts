import { type Condition, orderConditions } from "./conditions.ts";
import type { SummaryInput } from "./condition-summary.ts";

/** One condition of a kind. */
export interface ConditionRow {
  readonly type: string;
  /** One sentence for the documentation: when the condition is True. */
  readonly about: string;
  /** Its own reasons, by their name in code. Any condition may also have the reason of an error. */
  readonly reasons?: Readonly<Record<string, string>>;
  /** True is bad, as with `Deleting`. */
  readonly negative?: true;
  /**
   * Its part in the summary of the kind, which is `Ready`, and `Available` of a Cluster: it counts as unknown while it is absent,
   * is left out while it is absent during a deletion, or is left out whenever it is absent.
   */
  readonly summary?: "always" | "unlessDeleting" | "ifReported";
  /** Its name among the conditions of `v1beta1`; without one it is not there. */
  readonly v1beta1?: string;
  /** Its place among those that Ready of `v1beta1` is made of. */
  readonly v1beta1Place?: number;
  /** Only `v1beta1` has it. */
  readonly only?: "v1beta1";
}

/** The conditions of a kind by their name in code, in the order in which they are stored; those of `v1beta1` alone come last. */
export type ConditionTable = Readonly<Record<string, ConditionRow>>;

/** Call it once for each kind; the rest of the kind's code reads types, reasons and summaries from the result. */
export const conditionTable = <const T extends ConditionTable>(table: T): T => {
  const rows = Object.entries(table).map(([name, row]) => ({ name, row, type: row.type }));
  const [own, older] = [rows.filter(({ row }) => row.only === undefined), rows.filter(({ row }) => row.only)];
  return Object.fromEntries([...orderConditions(own), ...older].map(({ name, row }) => [name, row])) as T;
};

/** Returns the types of a table by their name in code. */
export const conditionTypes = <T extends ConditionTable>(table: T): { readonly [K in keyof T]: T[K]["type"] } =>
  Object.fromEntries(Object.entries(table).map(([name, { type }]) => [name, type])) as never;

/** Returns the reasons of a table by the name of their condition in code. */
export const conditionReasons = <T extends ConditionTable>(
  table: T,
): { readonly [K in keyof T as T[K] extends { readonly reasons: object } ? K : never]: NonNullable<T[K]["reasons"]> } =>
  Object.fromEntries(
    Object.entries(table).flatMap(([name, { reasons }]) => (reasons === undefined ? [] : [[name, reasons]])),
  ) as never;

const summaryPlace = ({ negative, type }: ConditionRow): number =>
  type === "Deleting" ? 0 : negative === true ? 1 : 2;

/**
 * Returns the conditions that the summary of a kind is made of: the deletion first, then the others of which True is bad, then the rest in
 * the order of the table.
 */
export const summaryInputs = (
  table: ConditionTable,
  {
    deleting = false,
    messages = {},
  }: {
    readonly deleting?: boolean;
    /** Replaces the message of a condition, by its type. */
    readonly messages?: Readonly<Record<string, (condition: Condition) => string>>;
  } = {},
): readonly SummaryInput[] =>
  Object.values(table)
    .filter(({ summary }) => summary !== undefined)
    .toSorted((left, right) => summaryPlace(left) - summaryPlace(right))
    .map(({ negative, summary, type }) => {
      const message = messages[type];
      return {
        type,
        ...(negative === true && { negative }),
        ignoreIfAbsent: summary === "ifReported" || (deleting && summary === "unlessDeleting"),
        ...(message !== undefined && { message }),
      };
    });

/** Returns the names of the conditions that Ready of `v1beta1` is made of, the one that counts first leading. */
export const v1beta1Parts = (table: ConditionTable): readonly string[] =>
  Object.values(table)
    .filter(({ v1beta1Place }) => v1beta1Place !== undefined)
    .toSorted((left, right) => (left.v1beta1Place ?? 0) - (right.v1beta1Place ?? 0))
    .map(({ type, v1beta1 = type }) => v1beta1);
