/** One object as a line of the view. */
export interface Row {
  /** The API group of the kind: two groups may have a kind of one name, such as Machine. */
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** A phase where the kind has one, else what its main condition says. */
  readonly state: string;
  /** Why it is not further, from its conditions; empty when there is nothing to wait for. */
  readonly detail: string;
  readonly done: boolean;
}
