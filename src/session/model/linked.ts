/** The reason to leave a session that was found through a symbolic link: it is outside of the store. */
export const LINKED = 'reached through a symbolic link';

/** The remedies, by what would be done to it. */
export const LINKED_TO_CHANGE = `${LINKED}; name it to change it`;
export const LINKED_TO_FORK = `${LINKED}; name it, or pass --out <dir>`;
export const LINKED_TO_MOVE = `is ${LINKED}; rename the link, then run this again`;
