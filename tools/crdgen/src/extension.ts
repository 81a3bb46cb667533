/** Where our definitions deliberately differ from upstream's. */
export interface Extension {
  readonly kind: string;
  readonly why: string;
  /** Lines as `factsOf` writes them: those only we have, and those of upstream that they replace. */
  readonly facts: readonly string[];
}
