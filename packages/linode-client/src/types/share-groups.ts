import type { Open } from "./api.ts";
import type { Image, ImageSharing } from "./services.ts";

/** Images that others may use. */
export interface ShareGroup {
  readonly id: number;
  readonly uuid: string;
  readonly label: string;
  readonly description: string | null;
  readonly is_suspended: boolean;
  readonly images_count: number;
  readonly members_count: number;
  readonly created: string;
  readonly updated: string | null;
  readonly expiry: string | null;
}

/** An image of a group, and what it is called there. */
export interface SharedImageChoice {
  readonly id: string;
  readonly label?: string;
  readonly description?: string;
}

export interface CreateShareGroup {
  readonly label: string;
  readonly description?: string;
  readonly images?: readonly SharedImageChoice[];
}

export interface UpdateShareGroup {
  readonly label?: string;
  readonly description?: string;
}

/** As members see it; its id begins with `shared/`. */
export interface SharedImage extends Image {
  readonly image_sharing: ImageSharing;
}

/** An account that may use the images of a group. */
export interface ShareGroupMember {
  readonly token_uuid: string;
  readonly label: string;
  readonly status: Open<"active" | "pending" | "inactive">;
  readonly created: string;
  readonly updated: string | null;
  readonly expiry: string | null;
}

/** `token` is what the account that wants to become a member has made, and handed over. */
export interface AddShareGroupMember {
  readonly token: string;
  readonly label: string;
}

/** By which an account becomes a member of the group of another. */
export interface ShareGroupToken {
  readonly token_uuid: string;
  readonly label: string;
  readonly status: Open<"active" | "pending" | "inactive">;
  readonly valid_for_sharegroup_uuid: string;
  /** The group that accepted it. */
  readonly sharegroup_uuid: string | null;
  readonly sharegroup_label: string | null;
  readonly created: string;
  readonly updated: string | null;
  readonly expiry: string | null;
}

/** The only answer that has the token itself. */
export interface NewShareGroupToken extends ShareGroupToken {
  readonly token: string;
}

export interface CreateShareGroupToken {
  readonly valid_for_sharegroup_uuid: string;
  readonly label?: string;
}

/** A group of another user, as its members see it. */
export type JoinedShareGroup = Omit<ShareGroup, "images_count" | "members_count" | "expiry">;
