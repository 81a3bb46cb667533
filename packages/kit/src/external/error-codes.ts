/** Codes of what goes wrong with objects that are known by reference only. */
export const ExternalErrorCode = {
  kindMissing: "external.kind_missing",
  kindNotSynced: "external.kind_not_synced",
  templateKindInvalid: "external.template_kind_invalid",
} as const;
