const withName = (text, name) => (name ? `${text} (${name})` : text);
