// Saves what the page has made as a file.
export function saveFile(content: Blob, fileName: string): void {
  const anchor = document.createElement('a');
  anchor.href = URL.createObjectURL(content);
  anchor.download = fileName;
  anchor.click();
  URL.revokeObjectURL(anchor.href);
}
