/* Run the fuzz target on files, for compilers without libFuzzer. */
#include <stdint.h>
#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

int main(int count, char **paths) {
    static uint8_t bytes[1 << 16];
    for (int i = 1; i < count; i++) {
        FILE *file = fopen(paths[i], "rb");
        if (file == NULL) {
            perror(paths[i]);
            return 2;
        }
        const size_t length = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
        (void)LLVMFuzzerTestOneInput(bytes, length);
    }
    printf("%d inputs\n", count - 1);
    return 0;
}
